// ../check.sh and ../../matrix try other versions than those of build.sbt, and a Downbeat that is published nowhere.
resolvers ++= sys.props.get("downbeat.repository").map("downbeat" at _)

libraryDependencies := {
  val gatling = sys.props.getOrElse("gatling.version", "3.15.1")
  libraryDependencies.value.map { module =>
    module.organization match {
      case "dev.downbeat" => sys.props.get("downbeat.version").fold(module)(module.withRevision)
      case "io.gatling.highcharts" => module.withRevision(gatling)
      // Maven Central has no test framework of 3.14, 3.15.0 and 3.16.0: that of build.sbt runs them, without the Gatling that it brings.
      case "io.gatling" => if (gatling >= "3.14") module.exclude("io.gatling", "gatling-app") else module.withRevision(gatling)
      case _ => module
    }
  }
}

Gatling / javaOptions += "-Dgatling.data.enableAnalytics=false"
