// Not part of the build of Downbeat: ../check.sh runs it, as a project of its users has it.
val gatlingVersion = sys.props.getOrElse("gatling.version", "3.15.1")

enablePlugins(GatlingPlugin)

scalaVersion := "2.13.18"

resolvers += "downbeat" at sys.props.getOrElse("downbeat.repository", "")

libraryDependencies ++= Seq(
  "io.gatling.highcharts" % "gatling-charts-highcharts" % gatlingVersion % Test,
  "io.gatling" % "gatling-test-framework" % gatlingVersion % Test,
  "dev.downbeat" % "downbeat-gatling" % sys.props.getOrElse("downbeat.version", "0.1.0-SNAPSHOT") % Test
)

Gatling / javaOptions ++= Seq("-Dtarget=" + sys.props.getOrElse("target", ""))
