/** The HTML page for an unknown address. It contains nothing from the request. */
import { qualityOf, rangesOf } from "@matchpoint/contracts/http/mediaRanges"
import { HttpServerResponse } from "effect/http"

/** True if the `Accept` header prefers HTML to JSON, as that of a browser does. Clients that accept everything get JSON. */
export const wantsPage = (accept: string | undefined): boolean => {
  if (accept === undefined || !/text\/html/i.test(accept)) return false
  const ranges = rangesOf(accept)
  return qualityOf("text/html", ranges) > qualityOf("application/json", ranges)
}

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<title>Page not found</title>
<link rel="icon" href="data:,">
<style>
body { font: 1rem/1.5 system-ui, sans-serif; margin: 15vh auto 0; max-width: 34rem; padding: 0 1.5rem }
h1 { font-size: 1.5rem; line-height: 1.2 }
</style>
</head>
<body>
<main>
<h1>Page not found</h1>
<p>No page exists at this address. It may be mistyped, or the page may have been removed.</p>
<p><a href="/">Live matches</a> · <a href="/docs">API documentation</a></p>
</main>
</body>
</html>
`

/** Built once, so that its headers and its compressed form are reused. */
export const notFoundPage = HttpServerResponse.html(html).pipe(
  HttpServerResponse.setStatus(404),
  HttpServerResponse.setHeader("vary", "Accept"),
)
