/**
 * Invariants of every answer to any request: no failure, the form the OpenAPI document declares, a problem where it
 * refuses, the security headers, no internals in an error, nothing of another tenant, and intrinsics untouched.
 */
import { inspect } from 'node:util'
import { openApiChecker } from '../support/openapi-check.ts'
import type { FuzzRequest } from './requests.ts'

export interface FuzzAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface Asked {
  readonly request: FuzzRequest
  /** Vendors' forms have no problem documents. */
  readonly isRaw: boolean
  /** Sees the whole platform, other tenants' ids included. */
  readonly isOperator: boolean
}

export interface Secrets {
  /** Of a tenant that no request names. */
  readonly foreignIds: ReadonlySet<string>
  readonly foreignWord: string
  /** Folders of the installation. */
  readonly places: readonly string[]
}

export type Judge = (asked: Asked, answer: FuzzAnswer) => readonly string[]

const inside =
  /\bat (?:async )?[\w.<>$[\] ]+ \((?:file:|node:|\/)|\bfile:\/\/\/|node_modules|\.[cm]?[jt]s:\d+|password_hash|relation "\w+"|column "\w+"|syntax error at|violates \w+[- ]\w* ?constraint|duplicate key value|invalid input syntax|operator does not exist|pglite|SQLSTATE|\b(?:ECONN|ENOENT|EPIPE|EAI_)\w*|Cannot read propert|is not a function|is not iterable|undefined \(reading|Unexpected token|RangeError|TypeError|\[object Object\]/i

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

const fixedHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

export function createJudge(document: object, secrets: Secrets): Judge {
  const check = openApiChecker(JSON.stringify(document))
  const untouched = intrinsics()
  return (asked, answer) => {
    const { request } = asked
    const documented = check({
      method: request.method,
      path: request.url,
      status: answer.status,
      headers: answer.headers,
      body: answer.text,
    })
    const polluted = intrinsics() === untouched ? [] : ['changed an intrinsic object']
    return [
      ...documented,
      ...polluted,
      ...headerFaults(answer),
      ...(answer.status >= 400 ? refusalFaults(asked, answer, secrets) : []),
      ...(asked.isOperator ? [] : foreignIn(request, answer, secrets)),
    ]
  }
}

/** Names of everything that pollution would add to. */
function intrinsics(): string {
  return [Object, Array, String, Number, Function, Promise, RegExp, Map]
    .map(({ prototype }) => Reflect.ownKeys(prototype).length)
    .join()
}

function headerFaults({ headers }: FuzzAnswer): readonly string[] {
  const wrong = Object.entries(fixedHeaders).filter(([name, value]) => headers[name] !== value)
  const telling = ['server', 'x-powered-by'].filter((name) => name in headers)
  return [...wrong.map(([name]) => `${name}: ${headers[name]}`), ...telling.map((name) => `has the header ${name}`)]
}

function refusalFaults(asked: Asked, answer: FuzzAnswer, { places }: Secrets): readonly string[] {
  const sent = sentText(asked.request)
  const told = [
    ...(inside.exec(answer.text)?.slice(0, 1) ?? []),
    ...places.filter((place) => answer.text.includes(place)),
  ]
  const leaked = told.filter((text) => !sent.includes(text.toLowerCase())).map((text) => `tells ${text}`)
  return asked.isRaw ? leaked : [...leaked, ...problemFaults(answer)]
}

/** Text that the caller sent; it may come back to the caller. */
function sentText({ url, headers, payload }: FuzzRequest): string {
  const decoded = url.replaceAll(/(?:%[0-9a-f]{2})+/gi, (part) =>
    Buffer.from(part.replaceAll('%', ''), 'hex').toString(),
  )
  return `${decoded} ${Object.entries(headers).flat().join(' ')} ${payload ?? ''}`.toLowerCase()
}

function problemFaults({ status, headers, text }: FuzzAnswer): readonly string[] {
  const type = String(headers['content-type'])
  if (!type.startsWith('application/problem+json')) return [`an error as ${type}`]
  const problem: Record<string, unknown> = JSON.parse(text)
  const { errors } = problem
  return [
    ...(problem.status === status ? [] : [`a problem of status ${String(problem.status)}`]),
    ...(/^[A-Z]{2,5}-\d{3}$/.test(String(problem.error_code)) ? [] : [`the code ${String(problem.error_code)}`]),
    ...(problem.request_id === headers['x-request-id'] ? [] : ['a request id other than that of the header']),
    ...(problem.data === null && Array.isArray(errors) && errors.length > 0 ? [] : ['an error without errors']),
  ]
}

function foreignIn(
  request: FuzzRequest,
  { text }: FuzzAnswer,
  { foreignIds, foreignWord }: Secrets,
): readonly string[] {
  const ids = (text.match(uuid) ?? []).filter((id) => foreignIds.has(id) && !sentText(request).includes(id))
  const words = text.includes(foreignWord) ? [foreignWord] : []
  return [...new Set([...ids, ...words])].map((found) => `shows ${found} of another tenant`)
}

/** A request as it can be sent again. */
export function shown(request: FuzzRequest, caller: string): string {
  const { method, url, headers, payload } = request
  const body = payload === undefined ? '' : ` body ${inspect(payload, { maxStringLength: 1_500 })}`
  return `${method} ${url.slice(0, 1_500)} as ${caller} headers ${inspect(headers, { maxStringLength: 200, breakLength: 400 })}${body}`
}
