addSbtPlugin("io.gatling" % "gatling-sbt" % "4.20.8")
