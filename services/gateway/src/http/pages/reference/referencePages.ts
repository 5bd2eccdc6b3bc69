/**
 * The reference as HTML: a page of contents, and one for each section. They can be read without a script. All links are
 * relative, so that a proxy may serve the API below another path.
 */
import type { CompactDocument } from "@matchpoint/contracts/http/openapi/compactDocument"
import type { Header, Paths } from "@matchpoint/contracts/http/openapi/Document"
import { type DocumentSection, documentSections, sectionDocument, sectionOf } from "@matchpoint/contracts/http/openapi/sectionDocument"
import { type Markup, markdown, markup } from "./markup.ts"
import { answerMarkup, methodAndPath, operationMarkup, type ShownOperation, searchText } from "./operationMarkup.ts"
import { modelId, schemaMarkup } from "./schemaMarkup.ts"

/** File names relative to `/docs/`. */
export interface PageFiles {
  readonly script: string
  readonly style: string
}

export interface Reference {
  readonly description: string
  /** The operations as the contract generates them: only schemas and headers are components. */
  readonly paths: Paths
  readonly headers: Readonly<Record<string, Header>>
  readonly served: CompactDocument
}

const titles: Readonly<Record<DocumentSection, string>> = {
  cs2: "CS2",
  tennis: "Tennis",
  cod: "Call of Duty",
  apex: "Apex",
  platform: "All games, account, webhooks, tools",
}

export const contentsPage = (reference: Reference, files: PageFiles): string => {
  const operations = operationsOf(reference)
  return pageOf({ title: "Matchpoint API", files, root: "", current: undefined }, [
    markup`<section class="intro">${markdown(reference.description)}
<p>Documents: <a href="openapi.json">openapi.json</a> with everything, or one section:
${documentSections.map((section) => markup` <a href="openapi/${section}.json">${section}.json</a>`)}. Streams: <a href="asyncapi.json">asyncapi.json</a>.</p></section>`,
    ...documentSections.map((section) => {
      const inSection = operations.filter(({ path }) => sectionOf(path) === section)
      return markup`<section class="contents"><h2><a href="docs/${section}">${titles[section]}</a></h2>
<ul>${inSection.map((shown) => contentsLine(shown, section))}</ul></section>`
    }),
  ])
}

const contentsLine = (shown: ShownOperation, section: DocumentSection): Markup => {
  const { method, operation, path } = shown
  return markup`<li data-text="${searchText(shown)}"><a href="docs/${section}#${operation.operationId}">${methodAndPath(method, path)} <span class="title">${operation.summary}</span></a></li>`
}

export const sectionPage = (reference: Reference, section: DocumentSection, files: PageFiles): string => {
  const document = sectionDocument(reference.served, section)
  const operations = operationsOf(reference).filter(({ path }) => sectionOf(path) === section)
  const schemas = Object.entries(document.components.schemas).sort(([one], [other]) => one.localeCompare(other))
  return pageOf({ title: `${titles[section]}: Matchpoint API`, files, root: "../", current: section }, [
    ...document.tags.map(
      ({
        description,
        name,
      }) => markup`<section><h2 id="${name}">${name}</h2>${description === undefined ? undefined : markdown(description)}
${operations.filter(({ operation }) => operation.tags[0] === name).map((shown) => operationMarkup(shown, reference.headers))}</section>`,
    ),
    markup`<section><h2 id="responses">Responses of several operations</h2>
${Array.from(sharedAnswersOf(operations), ([name, { answer, status }]) => answerMarkup(status, answer, reference.headers, name))}</section>`,
    markup`<section><h2 id="models">Models</h2>
${schemas.map(([name, schema]) => markup`<details class="model" id="${modelId(name)}" data-text="${name.toLowerCase()}"><summary><code>${name}</code></summary><div class="body">${schemaMarkup(schema)}</div></details>`)}</section>`,
  ])
}

interface Frame {
  readonly title: string
  readonly files: PageFiles
  /** Path from the page to the root of the server. */
  readonly root: "" | "../"
  readonly current: DocumentSection | undefined
}

const pageOf = ({ current, files, root, title }: Frame, content: ReadonlyArray<Markup>): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}docs/${files.style}">
<script type="module" src="${root}docs/${files.script}"></script>
</head>
<body data-root="${root}" data-key="">
<header>
<a class="home" href="${root}docs">Matchpoint API</a>
<nav>${documentSections.map((section) => markup`<a href="${root}docs/${section}"${section === current ? markup` aria-current="page"` : undefined}>${section}</a> `)}</nav>
<label class="filter">Find <input type="search" id="filter" placeholder="path or words" autocomplete="off"></label>
<label class="key">API key <input id="key" placeholder="x-api-key" autocomplete="off" spellcheck="false"></label>
</header>
<main>${content}</main>
</body>
</html>
`.html

const operationsOf = ({ paths, served }: Reference): ReadonlyArray<ShownOperation> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      path,
      operation,
      sharedAnswers: Object.fromEntries(
        Object.entries(served.paths[path]?.[method]?.responses ?? {}).flatMap(([status, answer]) =>
          "$ref" in answer ? [[status, answer.$ref.slice("#/components/responses/".length)] as const] : [],
        ),
      ),
    })),
  )

/** Responses that several operations have, by name. */
const sharedAnswersOf = (operations: ReadonlyArray<ShownOperation>) =>
  new Map(
    operations.flatMap(({ operation, sharedAnswers }) =>
      Object.entries(sharedAnswers).flatMap(([status, name]) => {
        const answer = operation.responses[status]
        return answer === undefined ? [] : [[name, { status, answer }] as const]
      }),
    ),
  )
