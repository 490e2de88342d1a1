package shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A service that answers after 10 ms; further paths simulate regressions. */
@SpringBootApplication
@RestController
public class Shop {
    private static final long WORK_MILLIS = 10;
    private static final long STALL_MILLIS = 230;
    private static final long PERIOD_MILLIS = 4_000;

    public static void main(String[] args) {
        SpringApplication.run(Shop.class, args);
    }

    @GetMapping("/orders")
    String order() throws InterruptedException {
        Thread.sleep(WORK_MILLIS);
        return "placed";
    }

    /** 20 % slower. */
    @GetMapping("/slower/orders")
    String orderSlowly() throws InterruptedException {
        Thread.sleep(WORK_MILLIS + WORK_MILLIS / 5);
        return "placed";
    }

    /** Stalls for 230 ms every 4 s, like a full garbage collection. */
    @GetMapping("/stalled/orders")
    String orderAroundStalls() throws InterruptedException {
        long stalledFor = System.nanoTime() / 1_000_000 % PERIOD_MILLIS;
        if (stalledFor < STALL_MILLIS) {
            Thread.sleep(STALL_MILLIS - stalledFor);
        }
        return order();
    }

    @GetMapping("/broken/orders")
    @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
    String refuse() {
        return "the orders are closed";
    }
}
