import { type Disposable, ViewColumn, type WebviewPanel, window } from 'vscode';

/** Tabs with a page of agentform beside the editor. Scripts are off, and pages cannot load anything. */
export class Pages implements Disposable {
  readonly #panels = new Map<string, WebviewPanel>();

  /** Shows a page in the tab of this title, which is made if it is not open. */
  show(title: string, html: string): void {
    const panel = this.#panels.get(title) ?? this.#open(title);
    panel.webview.html = html;
    panel.reveal(undefined, true);
  }

  showText(title: string, text: string): void {
    this.show(title, textPage(title, text));
  }

  dispose(): void {
    for (const panel of this.#panels.values()) panel.dispose();
  }

  #open(title: string): WebviewPanel {
    const panel = window.createWebviewPanel(
      'agentform.page',
      title,
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: false, enableForms: false, enableFindWidget: true, localResourceRoots: [] },
    );
    this.#panels.set(title, panel);
    panel.onDidDispose(() => this.#panels.delete(title));
    return panel;
  }
}

/** The output of a command as a page, in the font of editors. */
export function textPage(title: string, text: string): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  const style =
    'pre{font-family:var(--vscode-editor-font-family,monospace);white-space:pre-wrap;overflow-wrap:anywhere}';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body><pre>${escaped(text)}</pre></body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
