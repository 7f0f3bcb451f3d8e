extension ListeningPage {
  /// The page as the text of one HTML file, without any dependency: no network, no font, no library.
  public var markup: String {
    PageFrame(
      title: title,
      summary: summary,
      body: PageTemplate(String(resource: PackageResources.page_html)).filled(with: ["sound": sound.bytes.base64]),
      style: String(resource: PackageResources.page_css),
      script: String(resource: PackageResources.page_js),
      scene: scene
    ).markup
  }

  /// Writes the page as a file, completely or not at all; replaces an older file.
  ///
  /// - Throws: ``ReportError`` with the code `writeFailed`.
  public func write(to path: String) throws(ReportError) {
    try writeReport(markup, to: path)
  }
}
