# Made by JReleaser from release/jreleaser.yml of {{projectLinkHomepage}}

class {{brewFormulaName}} < Formula
  desc "{{projectDescription}}"
  homepage "{{projectLinkHomepage}}"
  url "{{distributionUrl}}"
  version "{{projectVersion}}"
  sha256 "{{distributionChecksumSha256}}"
  license "{{projectLicense}}"

  depends_on "openjdk@21"

  def install
    libexec.install Dir["*"]
    (bin/"downbeat").write_env_script libexec/"bin/downbeat", Language::Java.overridable_java_home_env("21")
    man1.install Dir[libexec/"share/man/man1/*"]
    bash_completion.install libexec/"share/completions/downbeat.bash" => "downbeat"
    fish_completion.install libexec/"share/completions/downbeat.fish"
  end

  test do
    assert_match "{{projectVersion}}", shell_output("#{bin}/downbeat --version")
  end
end
