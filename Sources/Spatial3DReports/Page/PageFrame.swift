/// The parts that are the same in all pages: the head, the title, and the style of text.
struct PageFrame {
  let title: String
  /// The contents in a sentence.
  let summary: String
  /// The sections between the title and the scripts.
  let body: String
  let style: String
  let script: String
  let scene: JSON

  /// The whole page as HTML.
  var markup: String {
    PageTemplate(String(resource: PackageResources.frame_html)).filled(with: [
      "title": title.escapedForXML,
      "summary": summary.escapedForXML,
      "body": body,
      "style": [Theme.customProperties, String(resource: PackageResources.frame_css), style].joined(separator: "\n"),
      "script": String(resource: PackageResources.frame_js) + "\n" + script,
      "scene": scene.markup,
    ])
  }
}
