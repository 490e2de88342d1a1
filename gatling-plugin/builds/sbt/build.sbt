// Not part of the build of Downbeat: ../check.sh runs it. What Gatling's plugin for sbt does with its test framework, without the
// plugin.
val gatlingVersion = sys.props.getOrElse("gatling.version", "3.15.1")
// Maven Central has no test framework of 3.14, 3.15.0 and 3.16.0: that of 3.15.1 runs them.
val frameworkVersion = if (gatlingVersion >= "3.14") "3.15.1" else gatlingVersion
val gatling = new TestFramework("io.gatling.sbt.GatlingFramework")

scalaVersion := "2.13.18"

resolvers += "downbeat" at sys.props.getOrElse("downbeat.repository", "")

libraryDependencies ++= Seq(
  "io.gatling.highcharts" % "gatling-charts-highcharts" % gatlingVersion % Test,
  "io.gatling" % "gatling-test-framework" % frameworkVersion % Test intransitive (),
  "org.scala-sbt" % "test-interface" % "1.0" % Test,
  "dev.downbeat" % "downbeat-gatling" % sys.props.getOrElse("downbeat.version", "0.1.0-SNAPSHOT") % Test
)

testFrameworks := Seq(gatling)
Test / testOptions += Tests.Argument(gatling, "-rf", (target.value / "gatling").getPath)
Test / parallelExecution := false
Test / fork := true
Test / javaOptions ++= Seq(
  "--add-opens=java.base/java.lang=ALL-UNNAMED",
  "-Dgatling.data.enableAnalytics=false"
) ++ Seq("target", "rate", "seconds", "downbeat.objectives").flatMap(name => sys.props.get(name).map(value => s"-D$name=$value"))
