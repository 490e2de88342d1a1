addSbtPlugin("io.gatling" % "gatling-sbt" % "4.16.1")
