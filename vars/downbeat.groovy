// A Jenkins step with the inputs of action.yml except 'token'. Use this repository as a shared library:
//   @Library('downbeat@v0.1.0') _
//   stage('Load') { steps { downbeat(target: 'http://localhost:8080/orders', objectives: 'p99<50ms') } }
// The agent needs a JDK, Maven and git.
def call(Map inputs = [:]) {
    def known = ['target', 'plan', 'rate', 'duration', 'objectives', 'baseline', 'against', 'tolerance', 'undecided', 'arguments', 'results']
    def unknown = inputs.keySet() - known - ['version']
    if (unknown) {
        error("Downbeat has no input ${unknown.join(', ')}; known are ${known.join(', ')}")
    }
    // Each pull request has its own workspace, without the results of its base branch.
    if (inputs.baseline == 'branch') {
        error("Downbeat has no baseline 'branch' on Jenkins: give a saved run, or use 'against'")
    }
    def version = inputs.version ?: 'v0.1.0'
    def results = inputs.results ?: 'downbeat-results'
    def settings = inputs.findAll { name, value -> name != 'version' }.collect { name, value -> "INPUT_${name.toUpperCase(Locale.ROOT)}=${value}" }
    withEnv(settings) {
        try {
            // The workspace may still have another version from an earlier build.
            sh "git init --quiet .downbeat && cd ./.downbeat && git fetch --quiet --depth 1 https://github.com/downbeat-dev/downbeat.git '${version}' && git checkout --quiet FETCH_HEAD"
            sh '.downbeat/release/action.sh'
        } finally {
            archiveArtifacts artifacts: "${results}/**", allowEmptyArchive: true
            junit testResults: "${results}/report.xml", allowEmptyResults: true
        }
    }
}
