enablePlugins(GatlingPlugin)

scalaVersion := "2.13.18"

libraryDependencies ++= Seq(
  "io.gatling.highcharts" % "gatling-charts-highcharts" % "3.15.1" % Test,
  "io.gatling" % "gatling-test-framework" % "3.15.1" % Test,
  "dev.downbeat" % "downbeat-gatling" % "0.1.0-SNAPSHOT" % Test
)

Gatling / javaOptions += "--add-opens=java.base/java.lang=ALL-UNNAMED"
