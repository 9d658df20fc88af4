/** Pages that are tables: errors, events, settings, the policy document, what providers take. */

import type { CelFields, CelShape } from '../../apps/server/src/kernel/cel/shape.ts'
import { type Setting, settings } from '../../apps/server/src/kernel/config/schema.ts'
import { apiErrors, authErrors, type DeclaredError } from '../../apps/server/src/kernel/errors/errors.ts'
import { kernelEvents } from '../../apps/server/src/kernel/events/ws/kernel-events.ts'
import type { Module } from '../../apps/server/src/kernel/module/module.ts'
import { kernelSettings } from '../../apps/server/src/kernel/settings/kernel-settings.ts'
import { callFields } from '../../apps/server/src/modules/gateway/call/fields.ts'
import { conditionVariables } from '../../apps/server/src/modules/gateway/policy/conditions.ts'
import { defaultDocument } from '../../apps/server/src/modules/gateway/policy/defaults.ts'
import { PolicyDocumentInput } from '../../apps/server/src/modules/gateway/policy/document.ts'
import { echoModels } from '../../apps/server/src/modules/gateway/providers/adapters/echo/echo.ts'
import { faults } from '../../apps/server/src/modules/gateway/providers/adapters/echo/fault.ts'
import { script } from '../../apps/server/src/modules/gateway/providers/adapters/echo/script.ts'
import { adapterOf } from '../../apps/server/src/modules/gateway/providers/vendors/registry.ts'
import { providerKinds } from '../../apps/server/src/modules/gateway/words/provider-kinds.ts'
import { fieldRows, formOf, itemRows, plain } from './fields.ts'
import { code, page, table } from './markdown.ts'

export function errorsPage(modules: readonly Module[]): string {
  const all: readonly DeclaredError[] = [apiErrors, authErrors, ...modules.map(({ errors }) => errors)]
    .flatMap((catalogue) => Object.values<DeclaredError>(catalogue))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
  const unique = [...new Map(all.map((error) => [error.code, error])).values()]
  const rows = unique.map(({ code: name, status, title, meaning }) => [code(name), String(status), title, meaning])
  return page(
    '# Errors',
    'Problems of RFC 9457. Each has its code in `error_code` and at the end of `type`; `/errors/<code>` says the same.',
    table(['Code', 'Status', 'Title', 'Meaning'], rows),
  )
}

export function eventsPage(modules: readonly Module[]): string {
  const events = [
    ...kernelEvents.map((event) => ({ module: event.channel.split('.')[0], event })),
    ...modules.flatMap(({ name, emits }) => emits.map((event) => ({ module: name, event }))),
  ]
  const sections = events.map(({ module, event }) =>
    page(
      `## ${event.channel}`,
      `${event.summary} Type: ${code(`com.<vendor>.${module}.${event.type}`)}; read with ${event.readers.map((reader) => code(`${reader}:read`)).join(' or ')}; ${event.live ? 'not kept' : `kept ${event.retentionDays} days`}${event.conflatable ? '; the newest of a subject may replace unsent older ones' : ''}.`,
      table(
        ['Field', 'Form', 'Meaning'],
        fieldRows(plain(event.schema)).map(([path, form, , meaning]) => [path, form, meaning]),
      ),
    ).trimEnd(),
  )
  return page(
    '# Events',
    'CloudEvents 1.0 on `/ws`; every payload also has `tenant_id`. `/asyncapi.json` says the same for machines.',
    ...sections,
  )
}

export function settingsPage(modules: readonly Module[]): string {
  const atStart = Object.values<Setting<unknown>>(settings).map(({ env, doc, secret, read }) => [
    code(env),
    doc,
    defaultOf(read),
    secret === true ? 'yes' : '',
  ])
  const running = [...kernelSettings, ...modules.flatMap((module) => module.settings)].map((setting) => [
    code(setting.key),
    formOf(plain(setting.schema)),
    setting.secret ? '' : code(JSON.stringify(setting.default)),
    setting.scope,
    `${setting.description}${setting.dangerous ? ' Asks for a fresh sign-in.' : ''}`,
  ])
  return page(
    '# Settings',
    'Read from the environment at start; `npm start -- --explain` prints them with their values.',
    table(['Variable', 'Meaning', 'Default', 'Secret'], atStart),
    '## While it runs',
    'Changed by `PATCH /api/v1/admin/config`, with history, dry run and rollback.',
    table(['Key', 'Form', 'Default', 'Scope', 'Meaning'], running),
  )
}

/** Defaults that depend on the machine are given in the meaning. */
function defaultOf(read: Setting<unknown>['read']): string {
  const value = read(undefined)
  const isPlain =
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && read !== settings.threads.read)
  return isPlain ? code(String(value)) : ''
}

export function policyPage(): string {
  const sections = Object.entries(plain(PolicyDocumentInput).properties ?? {}).map(([name, schema]) => {
    const value: unknown = Reflect.get(defaultDocument, name)
    const rows = fieldRows(schema).map(([path, form, , meaning]) => [path, form, shownDefault(value, path), meaning])
    const body = rows.length === 0 ? `${formOf(schema)}. Default: ${code(JSON.stringify(value))}` : null
    const items = body === null ? [] : itemRows(schema, name)
    return page(
      `## ${name}`,
      schema.description ?? null,
      body ?? table(['Field', 'Form', 'Default', 'Meaning'], rows),
      items.length === 0 ? null : table(['Field', 'Form', 'Required', 'Meaning'], items),
    ).trimEnd()
  })
  return page(
    '# Policy document',
    'Every field may be left out. All policies that apply to a call are merged and the strictest word counts; where no word is stricter than another, the `priority` of the bindings decides.',
    ...sections,
    '## What conditions may name',
    'Of `rules[].when`. Test optional members with `has(…)` first: a condition that cannot be decided fails its step.',
    table(['Name', 'Form', 'May be absent'], celRows(conditionVariables)),
  )
}

function celRows(fields: CelFields, prefix = ''): string[][] {
  return Object.entries(fields).flatMap(([name, { shape, optional = false }]) => {
    const path = `${prefix}${name}`
    if (typeof shape === 'object' && 'fields' in shape) return celRows(shape.fields, `${path}.`)
    return [[code(path), celForm(shape), optional ? 'yes' : '']]
  })
}

function celForm(shape: CelShape): string {
  if (typeof shape === 'string') return shape
  if ('list' in shape) return `list of ${celForm(shape.list)}`
  return 'map' in shape ? `map of ${celForm(shape.map)}` : 'object'
}

function shownDefault(section: unknown, path: string): string {
  let value = section
  for (const part of path.replaceAll('`', '').split('.')) {
    if (part.endsWith(']') || typeof value !== 'object' || value === null) return ''
    value = Reflect.get(value, part)
  }
  const isShort = value === null || typeof value !== 'object' || Array.isArray(value)
  return value === undefined || !isShort ? '' : code(JSON.stringify(value))
}

const marks = { native: 'yes', translated: 'translated', emulated: 'emulated', unsupported: '–' } as const

export function providersPage(): string {
  const rows = callFields.map((field) => [
    code(field),
    ...providerKinds.map((kind) => marks[adapterOf(kind).fields[field] ?? 'unsupported']),
  ])
  return page(
    '# What providers take',
    'A field that a provider does not take is refused by its name (`GW-022`), or left out with a trace where the policy says `upstream.on_unsupported: drop`.',
    table(['Field', ...providerKinds.map(code)], rows),
    'The table is that of the kind of a provider. A single model may take less: what its vendor says it cannot do, or what its tenant says (`PATCH /models/{model_id}`, `capabilities`). `GET /models` has the table of each (`field_support`).',
    '`/metadata` is for the gateway: policies, conditions of routes, budgets and the log read it, and no provider is sent it, whatever `store` says.',
    '`inference_geo` is never left out where a provider has no word for it, and `background` is taken by none: the answer would be kept at the vendor, and inspected by nobody.',
  )
}

export function echoPage(): string {
  const inMessage = 'in the last user message'
  return page(
    '# The offline provider',
    `Every tenant begins with the provider ${code('echo')}, which needs no key and no network. Its models (${echoModels.map(code).join(', ')}) give the same answer to the same call, and each of their texts says that no language model was called. ${code('echo-1')} tells of the last user message, ${code('echo-embed-1')} makes vectors of words.`,
    `Streams come in pieces of ${code('metadata.echo_chunk_chars')} characters (1 to 4096, default 24), ${code('metadata.echo_gap_ms')} milliseconds apart (0 to 5000, default 0).`,
    '## echo-script-1',
    `What it says follows from a phrase ${inMessage}, in upper or lower case; the first of this table counts. Without one it answers as ${code('echo-1')}.`,
    table(
      ['Phrase', 'Answer'],
      script.map(({ trigger, shows }) => [code(trigger), shows]),
    ),
    '## echo-fault-1',
    `It fails as a word ${inMessage} says. Without one it answers as ${code('echo-1')}.`,
    table(
      ['Word', 'Acts out'],
      faults.map(([word, shows]) => [code(`fault:${word}`), shows]),
    ),
  )
}
