#!/bin/sh
# Makes the keys of PemKeyTest anew, by OpenSSL 3. They open nothing: each is for a certificate of its own that expires in 2126.
set -eu
cd "$(dirname "$0")"
password='open sesame'
crt() { openssl req -x509 -key "$1" -subj "/CN=downbeat test" -days 36500 -out "$2.crt" 2>/dev/null; }
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa-pkcs8.pem 2>/dev/null
openssl pkcs8 -topk8 -in rsa-pkcs8.pem -out rsa-pkcs8-encrypted.pem -passout "pass:$password"
openssl pkcs8 -topk8 -v2 des3 -in rsa-pkcs8.pem -out rsa-pkcs8-encrypted-3des.pem -passout "pass:$password"
openssl rsa -traditional -in rsa-pkcs8.pem -out rsa-pkcs1.pem 2>/dev/null
openssl rsa -traditional -aes128 -in rsa-pkcs8.pem -out rsa-pkcs1-encrypted.pem -passout "pass:$password" 2>/dev/null
crt rsa-pkcs8.pem rsa
openssl ecparam -name prime256v1 -genkey -noout -out ec-sec1.pem
openssl pkcs8 -topk8 -nocrypt -in ec-sec1.pem -out ec-pkcs8.pem
openssl pkcs8 -topk8 -in ec-sec1.pem -out ec-pkcs8-encrypted.pem -passout "pass:$password"
crt ec-sec1.pem ec
openssl genpkey -algorithm ED25519 -out ed25519-pkcs8.pem
crt ed25519-pkcs8.pem ed25519
