/** One operation of the OpenAPI document: what it does, a form that sends it, and its responses. */
import type { Answer, Header, Operation, Parameter } from "@matchpoint/contracts/http/openapi/Document"
import { inlineMarkdown, type Markup, markdown, markup } from "./markup.ts"
import { type SchemaPart, schemaMarkup } from "./schemaMarkup.ts"

export interface ShownOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  /** Responses that several operations have, by status. A page shows each once. */
  readonly sharedAnswers: Readonly<Record<string, string>>
}

export type Headers = Readonly<Record<string, Header>>

export const answerId = (name: string): string => `response-${name}`

/** Ids are those of the document, so that links to an operation stay the same. */
export const operationMarkup = (shown: ShownOperation, headers: Headers): Markup => {
  const { method, operation, path, sharedAnswers } = shown
  return markup`
<details class="operation" id="${operation.operationId}" data-method="${method}" data-path="${path}" data-text="${searchText(shown)}">
<summary>${methodAndPath(method, path)} <span class="title">${operation.summary}</span></summary>
<div class="body">
${markdown(operation.description)}
<form class="try">
${operation.parameters.map(parameterMarkup)}
${bodyMarkup(operation)}
<p class="send"><button type="submit">Send</button> <code class="request"></code></p>
<div class="response" hidden><p class="status" role="status"></p><pre tabindex="0"></pre></div>
</form>
<h4>Responses</h4>
${Object.entries(operation.responses).map(([status, answer]) => {
  const name = sharedAnswers[status]
  return name === undefined ? answerMarkup(status, answer, headers) : answerLink(status, answer, name)
})}
</div>
</details>`
}

export const methodAndPath = (method: string, path: string): Markup =>
  markup`<span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${path}</code>`

/** Text that the filter of a page searches. */
export const searchText = ({ method, operation: { operationId, summary }, path }: Omit<ShownOperation, "sharedAnswers">): string =>
  `${method} ${path} ${summary} ${operationId}`.toLowerCase()

const parameterMarkup = ({ description, in: place, name, required, schema }: Parameter): Markup => {
  const { enum: choices, type }: SchemaPart = schema
  const attributes = markup`name="${name}" data-in="${place}"${required ? markup` required` : undefined}`
  return markup`<label><span class="name"><code>${name}</code>${required ? markup` <span class="required">required</span>` : undefined}</span>
${
  choices !== undefined && type !== "array"
    ? markup`<select ${attributes}><option></option>${choices.map((choice) => markup`<option>${String(choice)}</option>`)}</select>`
    : markup`<input ${attributes} autocomplete="off" spellcheck="false">`
}
<span class="about">${inlineMarkdown(description)}. ${schemaMarkup(schema)}</span></label>`
}

const bodyMarkup = ({ requestBody }: Operation): Markup | undefined => {
  if (requestBody === undefined) return undefined
  const [type = "application/json", media] = Object.entries(requestBody.content)[0] ?? []
  return markup`<label><span class="name">Body, <code>${type}</code></span><textarea name="body" rows="6" spellcheck="false">{}</textarea>
<span class="about">${schemaMarkup(media?.schema ?? {})}</span></label>`
}

const answerLink = (status: string, { description }: Answer, name: string): Markup =>
  markup`<p class="answer"><a href="#${answerId(name)}"><b class="s${status.slice(0, 1)}">${status}</b></a> ${inlineMarkdown(description)}</p>`

export const answerMarkup = (
  status: string,
  { content = {}, description, headers: named = {} }: Answer,
  headers: Headers,
  name?: string,
): Markup => markup`
<details class="answer"${name === undefined ? undefined : markup` id="${answerId(name)}" data-text="${name.toLowerCase()}"`}><summary><b class="s${status.slice(0, 1)}">${status}</b> ${inlineMarkdown(description)}</summary>
${Object.entries(content).map(
  ([type, { examples = {}, schema }]) => markup`<h5><code>${type}</code></h5>${schemaMarkup(schema)}
${Object.entries(examples).map(([name, { value }]) => markup`<details class="example"><summary>Example: ${name}</summary><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre></details>`)}`,
)}
<p class="headers">Headers: ${Object.keys(named).map((name, index) => markup`${index === 0 ? "" : ", "}<code title="${headers[name]?.description ?? ""}">${name}</code>`)}</p>
</details>`
