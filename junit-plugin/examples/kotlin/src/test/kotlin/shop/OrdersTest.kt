package shop

import dev.downbeat.junit.Answer
import dev.downbeat.junit.LoadTest
import dev.downbeat.junit.Slo
import dev.downbeat.load.Beat
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

class OrdersTest {
    @LoadTest(rate = "100/s", duration = "2s", warmUp = "1s", budget = "2s")
    @Slo("p90 < 100ms")
    @Slo("errors < 1%")
    fun `places orders`(beat: Beat) {
        check(beat.index() >= 0)
        Thread.sleep(5)
    }

    // A function with an expression body returns its value, and JUnit runs no test that returns one: mind the Unit.
    @LoadTest(rate = "100/s", duration = "2s", warmUp = "0s", budget = "2s")
    @Slo("p90 < 100ms")
    fun `places orders without waiting`(answer: Answer): Unit =
        answer.of(CompletableFuture.supplyAsync({ "placed" }, CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS)))
}
