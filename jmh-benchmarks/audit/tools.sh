#!/bin/sh
# Installs the load tools of record.sh into FOLDER/bin with the ordinary package clients (Go, Cargo, npm, pip, Maven, apt).
# Versions are fixed, so that recorded files are reproducible. Installed tools stay as they are. No registry has wrk2.
# usage: jmh-benchmarks/audit/tools.sh FOLDER [TOOL...]      (all: about ten minutes on two cores, mostly k6 and oha)
#        PATH=FOLDER/bin:$PATH jmh-benchmarks/audit/record.sh FIXTURES
set -eu
folder=$(mkdir -p "${1:?a FOLDER is needed}/bin" && cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- wrk ab h2load vegeta hey fortio k6 oha autocannon artillery locust jmeter gatling-text

go_tool() { GOBIN=$folder/bin go install "$1"; }

npm_tool() {
  # Artillery would download a browser.
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install --silent --no-audit --no-fund --global --prefix "$folder/npm" "$1@$2"
  ln -sf "$folder/npm/bin/$1" "$folder/bin/$1"
}

# Downloads artifacts with their dependencies.
jars() { # folder, group:artifact:version...
  to=$1
  shift
  mkdir -p "$to"
  {
    echo '<project><modelVersion>4.0.0</modelVersion><groupId>t</groupId><artifactId>t</artifactId><version>1</version><dependencies>'
    for each; do
      echo "$each" | sed 's|\(.*\):\(.*\):\(.*\)|<dependency><groupId>\1</groupId><artifactId>\2</artifactId><version>\3</version></dependency>|'
    done
    echo '</dependencies></project>'
  } >"$to/pom.xml"
  mvn -B -q -f "$to/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory="$to"
}

# JMeter's launcher expects the plugins in lib/ext and the settings, which come in their own jar, in bin.
jmeter_home() {
  group=org.apache.jmeter version=5.6.3 home=$folder/jmeter
  jars "$home/lib" $group:ApacheJMeter_http:$version $group:ApacheJMeter_functions:$version
  jars "$home/bin" $group:ApacheJMeter:$version
  jars "$home/config" $group:ApacheJMeter_config:$version
  mkdir -p "$home/lib/ext"
  mv "$home"/lib/ApacheJMeter_*.jar "$home/lib/ext"
  (cd "$home" && unzip -qo config/ApacheJMeter_config-$version.jar 'bin/*')
  printf '#!/bin/sh\nexec java -Xmx512m -jar %s/bin/ApacheJMeter-%s.jar "$@"\n' "$home" $version >"$folder/bin/jmeter"
  chmod +x "$folder/bin/jmeter"
}

# Installs a command NAME: 'NAME SIMULATION.java RESULTS' compiles and runs a simulation.
gatling_jars() { # name, version
  jars "$folder/$1" io.gatling.highcharts:gatling-charts-highcharts:"$2"
  # The default level logs each request.
  echo '<configuration><root level="WARN"/></configuration>' >"$folder/$1/logback.xml"
  cat >"$folder/bin/$1" <<SH
#!/bin/sh
set -e
mkdir -p "\$2/classes"
javac -cp "$folder/$1/*" -d "\$2/classes" "\$1"
exec java -Xmx512m --add-opens java.base/java.lang=ALL-UNNAMED -Dgatling.data.enableAnalytics=false \\
  -cp "$folder/$1:$folder/$1/*:\$2/classes" io.gatling.app.Gatling -s "\$(basename "\$1" .java)" -rf "\$2" -nr
SH
  chmod +x "$folder/bin/$1"
}

install_tool() {
  case $1 in
    wrk) apt-get install -qq -y wrk ;;
    ab) apt-get install -qq -y apache2-utils ;;
    h2load) apt-get install -qq -y nghttp2-client ;;
    hey) go_tool github.com/rakyll/hey@v0.1.5 ;;
    vegeta) go_tool github.com/tsenart/vegeta/v12@v12.13.0 ;;
    fortio) go_tool fortio.org/fortio@v1.66.5 ;;
    k6) go_tool go.k6.io/k6@v1.8.1 ;;
    oha) cargo install --quiet --locked --version 1.16.0 --root "$folder" oha ;;
    autocannon) npm_tool autocannon 8.0.0 ;;
    artillery) npm_tool artillery 2.0.34 ;;
    locust)
      python3 -m venv "$folder/locust"
      "$folder/locust/bin/pip" install --quiet locust==2.47.0
      ln -sf "$folder/locust/bin/locust" "$folder/bin/locust"
      ;;
    jmeter) jmeter_home ;;
    gatling-text) gatling_jars gatling-text 3.11.5 ;;
    *) echo "unknown tool $1" >&2 && return 1 ;;
  esac
}

for tool; do
  command -v "$tool" >/dev/null || [ -x "$folder/bin/$tool" ] || (install_tool "$tool") || echo "$tool could not be installed" >&2
done
