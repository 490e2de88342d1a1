#!/bin/sh
# Stages the files of a download: launchers, jars, manual pages, completions, licences. The build calls
#   stage.sh JAVA CHECKOUT FOLDER TIMESTAMP
set -eu
java=$1 checkout=$2 folder=$3 timestamp=$4
rm -rf "$folder" "$folder-deb"
mkdir -p "$folder/bin" "$folder/lib" "$folder/share/man/man1" "$folder/share/completions"
cp -p "$checkout/downbeat" "$folder/bin/downbeat"
chmod 755 "$folder/bin/downbeat"
sed 's/$/\r/' "$checkout/release/dist/src/main/windows/downbeat.cmd" >"$folder/bin/downbeat.cmd"
for jar in downbeat downbeat-sqs downbeat-crt downbeat-s3 downbeat-sqs-demo downbeat-jdbc downbeat-boringssl; do
  cp -p "$checkout/cli/target/$jar.jar" "$folder/lib/"
done
cp -p "$checkout/cli/src/main/resources/dev/downbeat/cli/jvm.options" "$folder/lib/"
cp -p "$checkout/LICENSE" "$checkout/NOTICE" "$checkout/CHANGELOG.md" "$checkout/release/licenses/THIRD-PARTY-LICENSES" "$folder/"
cat "$folder/../third-party/THIRD-PARTY.txt" >"$folder/THIRD-PARTY.txt"

# Keeps the user's saved defaults and state out of the manual pages.
unset XDG_CONFIG_HOME
HOME=$folder/nobody
export HOME
downbeat() { "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar "$folder/lib/downbeat.jar" "$@"; }
man=$folder/share/man/man1
version=$(downbeat --version)
manual() { # name: turns a help text on stdin into a manual page, word for word
  printf '.TH "%s" "1" "" "%s"\n.nh\n.SH NAME\n%s \\- ' "$(echo "$1" | tr '[:lower:]' '[:upper:]')" "$version" "$1"
  sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/" -e '1a\' -e '.SH SYNOPSIS\' -e '.nf\' -e '.in 0'
}
help=$(downbeat help)
echo "$help" | manual downbeat >"$man/downbeat.1"
for command in $(echo "$help" | sed -n '/^Measure:/,/^Examples/s/^  \([a-z][a-z]*\)  .*/\1/p'); do
  downbeat help "$command" | manual "downbeat-$command" >"$man/downbeat-$command.1"
done
# bash and zsh share one script.
downbeat completion >"$folder/share/completions/downbeat.bash"
downbeat completion fish >"$folder/share/completions/downbeat.fish"
rm -rf "$folder/nobody"

# The same files in the form that Debian wants.
mkdir -p "$folder-deb/man"
for page in "$man"/*.1; do gzip -9nc "$page" >"$folder-deb/man/$(basename "$page").gz"; done
sed '1{/^#!/d;}' "$folder/share/completions/downbeat.bash" >"$folder-deb/completion"
maintainer='The Downbeat authors <maintainers@downbeat.dev>'
{
  printf 'downbeat (%s) unstable; urgency=medium\n\n  * Changes: https://downbeat.dev/latest/changelog.html\n\n' \
    "${version#downbeat }"
  printf ' -- %s  %s\n' "$maintainer" "$(LC_ALL=C date -u -R -d "$timestamp" 2>/dev/null || LC_ALL=C date -u -R)"
} | gzip -9nc >"$folder-deb/changelog.gz"
{
  cat "$checkout/NOTICE"
  printf '\nThe full text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.\n\n'
  cat "$checkout/release/licenses/THIRD-PARTY-LICENSES" "$folder/THIRD-PARTY.txt"
} >"$folder-deb/copyright"
