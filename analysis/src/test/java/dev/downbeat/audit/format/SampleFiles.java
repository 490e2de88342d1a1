package dev.downbeat.audit.format;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Small files of every format, as the tools write them. */
final class SampleFiles {
    /** A file of each format, under the name of its tool. */
    static final Map<String, byte[]> SAMPLES = samples();

    static final Map<String, String> SUMMARIES = summaries();

    private SampleFiles() {}

    private static Map<String, byte[]> samples() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("JMeter JTL (CSV)", """
                timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,failureMessage,bytes,URL
                1700000000000,20,home,200,OK,Users 1-1,true,,100,http://shop/
                1700000000021,25,"a, ""quoted""
                label",200,OK,Users 1-1,true,,100,http://shop/
                1700000000047,30,home,500,Error,Users 1-2,false,"expected
                something",100,http://shop/
                1700000000047,75,all,200,"Number of samples in transaction : 2, number of failing samples : 0",Users 1-2,true,,1,null
                """);
        texts.put("Gatling simulation.log (text)", """
                RUN\tshop.Load\tload\t1700000000000\t \t3.9.5
                USER\tbuyers\tSTART\t1700000000000
                REQUEST\t\thome\t1700000000000\t1700000000020\tOK\t\s
                REQUEST\tcart\tadd\t1700000000021\t1700000000046\tOK\t\s
                REQUEST\t\thome\t1700000000047\t1700000000077\tKO\tstatus 500
                USER\tbuyers\tEND\t1700000000100
                """);
        texts.put("k6 --out json", """
                {"type":"Metric","data":{"name":"http_req_duration","type":"trend"},"metric":"http_req_duration"}
                {"metric":"http_req_duration","type":"Point","data":{"time":"2023-11-14T22:13:20.02Z","value":20.0,"tags":{"url":"http://shop/","expected_response":"true"}}}
                {"metric":"http_req_duration","type":"Point","data":{"time":"2023-11-14T22:13:20.046+00:00","value":25.5,"tags":{"url":"http://shop/","vu":"2"}}}
                {"metric":"dropped_iterations","type":"Point","data":{"time":"2023-11-14T22:13:20.05Z","value":3,"tags":null}}
                {"metric":"http_req_duration","type":"Point","data":{"time":"2023-11-14T22:13:20.077Z","value":30,"tags":{"expected_response":"false"}}}
                """);
        texts.put("k6 --out csv", """
                metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata
                http_reqs,1700000000020000000,1,,,,true,,GET,http://shop/,HTTP/1.1,default,,200,,,http://shop/,,
                http_req_duration,1700000000020000000,20.0,,,,true,,GET,http://shop/,HTTP/1.1,default,,200,,,http://shop/,,
                http_req_duration,1700000000046000000,25.0,,,,true,,GET,http://shop/,HTTP/1.1,default,,200,,,http://shop/,,
                http_req_duration,1700000000077000000,30.0,,,,false,,GET,http://shop/,HTTP/1.1,default,,500,,,http://shop/,,
                """);
        texts.put("vegeta (JSON)", """
                {"attack":"","seq":0,"code":200,"timestamp":"2023-11-14T22:13:20+01:00","latency":20000000,"bytes_out":0,"bytes_in":1,"error":"","body":"YQ==","method":"GET","url":"http://shop/","headers":{"A":["b"]}}
                {"attack":"","seq":1,"code":200,"timestamp":"2023-11-14T22:13:20.021+01:00","latency":25000000,"bytes_out":0,"bytes_in":1,"error":"","body":null,"method":"GET","url":"http://shop/","headers":null}
                {"attack":"","seq":2,"code":500,"timestamp":"2023-11-14T22:13:20.047+01:00","latency":30000000,"bytes_out":0,"bytes_in":1,"error":"500","body":"","method":"GET","url":"http://shop/","headers":null}
                """);
        texts.put("vegeta (CSV)", """
                1700000000000000000,200,20000000,0,1,,YQ==,,0,GET,http://shop/,
                1700000000021000000,200,25000000,0,1,,YQ==,,1,GET,http://shop/,
                1700000000047000000,500,30000000,0,1,500 Internal Server Error,YQ==,,2,GET,http://shop/,
                """);
        texts.put("hey (CSV)", """
                response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read,status-code,offset
                0.0200,0.0010,0.0000,0.0000,0.0190,0.0000,200,0.0000
                0.0250,0.0000,0.0000,0.0000,0.0250,0.0000,200,0.0210
                0.0300,0.0000,0.0000,0.0000,0.0300,0.0000,500,0.0470
                """);
        texts.put("oha (CSV)", """
                request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status
                0.000010,0.0001,0.0002,0.0190,0.0200,1,200
                0.021000,0.0001,0.0002,0.0190,0.0250,1,200
                0.047000,0.0001,0.0002,0.0190,0.0300,1,500
                """);
        texts.put("h2load --log-file", """
                1700000000000000\t200\t20000
                1700000000021000\t200\t25000
                1700000000047000\t500\t30000
                """);
        texts.put("Jaeger (JSON)", """
                {"data":[{"traceID":"a","spans":[
                {"spanID":"1","references":[],"startTime":1700000000000000,"duration":20000,"tags":[]},
                {"spanID":"2","references":[{"refType":"CHILD_OF","spanID":"1"}],"startTime":1700000000001000,"duration":1000,"tags":[]},
                {"spanID":"3","references":[],"startTime":1700000000021000,"duration":25000,"tags":[]}]},
                {"traceID":"b","spans":[{"spanID":"4","startTime":1700000000047000,"duration":30000,"tags":[{"key":"error","type":"bool","value":true}]}]}]}
                """);
        texts.put("OpenTelemetry (JSON)", """
                {"resourceSpans":[{"resource":{},"scopeSpans":[{"scope":{},"spans":[
                {"traceId":"a","spanId":"1","parentSpanId":"","name":"GET","startTimeUnixNano":"1700000000000000000","endTimeUnixNano":"1700000000020000000"},
                {"traceId":"a","spanId":"2","parentSpanId":"1","name":"sql","startTimeUnixNano":"1700000000001000000","endTimeUnixNano":"1700000000002000000"},
                {"traceId":"b","spanId":"3","name":"GET","startTimeUnixNano":"1700000000021000000","endTimeUnixNano":"1700000000046000000"}]}]}]}
                {"resourceSpans":[{"scopeSpans":[{"spans":[
                {"traceId":"c","spanId":"4","name":"GET","startTimeUnixNano":"1700000000047000000","endTimeUnixNano":"1700000000077000000","status":{"code":2}}]}]}]}
                """);
        texts.put("access log with durations (Envoy, nginx)", """
                [2023-11-14T22:13:20.000Z] "GET /a HTTP/1.1" 200 - 0 12 20 19 "-" "curl" "id" "shop" "10.0.0.1:80"
                [2023-11-14T22:13:20.021Z] "GET /a HTTP/2" 200 - via_upstream - "-" 0 12 25 24 "-" "curl" "id" "shop" "10.0.0.1:80"
                [2023-11-14T23:13:20.047+01:00] "GET /a HTTP/1.1" 503 UF 0 12 30 - "-" "curl" "id" "shop" "-"
                """);
        Map<String, byte[]> samples = new LinkedHashMap<>();
        texts.forEach((name, text) -> samples.put(name, text.getBytes(StandardCharsets.UTF_8)));
        return samples;
    }

    private static Map<String, String> summaries() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("wrk", """
                Running 10s test @ http://shop/
                  2 threads and 16 connections
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency    25.10ms   80.00ms   2.01s    99.00%
                    Req/Sec     3.51k   102.00     3.73k    75.00%
                  Latency Distribution
                     50%   20.10ms
                     75%   20.30ms
                     90%   20.60ms
                     99%   22.00ms \s
                  6800 requests in 10.01s, 1.00MB read
                  Socket errors: connect 0, read 0, write 0, timeout 16
                Requests/sec:   679.00
                """);
        texts.put("wrk2", """
                Running 30s test @ http://shop/
                  2 threads and 16 connections
                  Thread calibration: mean lat.: 1.0ms, rate sampling interval: 10ms
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency     1.10ms    0.40ms   12.10ms   90.00%
                  Latency Distribution (HdrHistogram - Recorded Latency)
                 50.000%    1.02ms
                 90.000%    1.52ms
                 99.000%    2.02ms
                 99.900%    5.02ms
                100.000%   12.10ms
                  19900 requests in 30.00s, 1.00MB read
                """);
        texts.put("ab", """
                This is ApacheBench, Version 2.3
                Concurrency Level:      8
                Time taken for tests:   10.000 seconds
                Complete requests:      3900
                Failed requests:        2
                              min  mean[+/-sd] median   max
                Total:         19   20   1.2     20      33
                Percentage of the requests served within a certain time (ms)
                  50%     20
                  90%     21
                  99%     25
                 100%     33 (longest request)
                """);
        texts.put("hey or oha", """
                Summary:
                  Total:\t10.0 secs
                  Slowest:\t0.0330 secs
                  Average:\t0.0205 secs
                  Requests/sec:\t390.00
                Latency distribution:
                  50%% in 0.0200 secs
                  90%% in 0.0210 secs
                  99%% in 0.0250 secs
                Details (average, fastest, slowest):
                Status code distribution:
                  [200]\t3900 responses
                """);
        texts.put("Locust CSV", """
                Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,Min Response Time,Max Response Time,Average Content Size,Requests/s,Failures/s,50%,66%,90%,95%,99%,99.9%,100%
                GET,/,3900,2,20.0,20.5,19.0,33.0,1,390,0,20,20,21,22,25,30,33
                ,Aggregated,3900,2,20.0,20.5,19.0,33.0,1,390,0,20,20,21,22,25,30,33
                """);
        texts.put("oha (JSON)", """
                {"summary":{"successRate":1.0,"total":10.0,"slowest":0.033,"fastest":0.019,"average":0.0205,"requestsPerSec":390.0},
                "latencyPercentiles":{"p50":0.02,"p90":0.021,"p99":0.025,"p99.9":0.03},"statusCodeDistribution":{"200":3900},"errorDistribution":{"aborted due to deadline":8}}
                """);
        texts.put("autocannon (JSON)", """
                {"url":"http://shop/","connections":8,"duration":10.02,"errors":0,"timeouts":0,"non2xx":0,
                "latency":{"average":20.5,"mean":20.5,"stddev":1,"min":19,"max":33,"p2_5":19,"p50":20,"p97_5":24,"p99":25,"p99_9":30,"totalCount":3900},"requests":{"total":3900}}
                """);
        texts.put("Artillery (JSON)", """
                {"aggregate":{"counters":{"http.requests":3900},"firstCounterAt":1700000000000,"lastCounterAt":1700000010000,
                "summaries":{"http.response_time":{"min":19,"max":33,"count":3900,"mean":20.5,"p50":20,"median":20,"p95":22,"p99":25,"p999":30}}},"intermediate":[]}
                """);
        texts.put("fortio (JSON)", """
                {"RunType":"HTTP","URL":"http://shop/","NumThreads":8,"ActualDuration":10000000000,"DurationHistogram":{"Count":3900,"Min":0.019,"Max":0.033,"Sum":80,"Avg":0.0205,
                "Percentiles":[{"Percentile":50,"Value":0.02},{"Percentile":99,"Value":0.025}]}}
                """);
        texts.put("k6 summary", """
                {"root_group":{"name":""},"metrics":{"http_req_duration":{"avg":20.5,"min":19,"med":20,"max":33,"p(90)":21,"p(95)":22},"http_reqs":{"count":3900,"rate":390}}}
                """);
        texts.put("vegeta report (JSON)", """
                {"latencies":{"total":80000000000,"mean":20500000,"50th":20000000,"90th":21000000,"95th":22000000,"99th":25000000,"max":33000000,"min":19000000},
                "duration":10000000000,"requests":3900,"rate":390,"success":1}
                """);
        return texts;
    }
}
