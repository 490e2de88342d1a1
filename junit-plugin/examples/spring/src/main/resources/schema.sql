create table orders (id int primary key, item varchar(20));
insert into orders select x, 'item ' || mod(x, 97) from system_range(1, 1000);
