/**
 * Refusals before an integration is stored: members that its kind does not have, a filter that cannot be read, and a
 * destination that the network guard forbids. Tested in integrations.test.ts.
 */
import type { TObject } from 'typebox'
import type { Kernel } from '../../../kernel/kernel.ts'
import { lazyCheck } from '../../../kernel/schema/validators.ts'
import type { IntegrationRow } from '../declared/integration-schema.ts'
import { readFilter } from '../deliveries/fan-out.ts'
import { destinationOf } from '../deliveries/transports.ts'
import { errors } from '../errors/errors.ts'
import { kindOf } from '../kinds/catalog.ts'

type Checked = Pick<IntegrationRow, 'kind' | 'config' | 'events' | 'filter'> & {
  readonly credentials: Readonly<Record<string, unknown>>
}

const checks = new WeakMap<TObject, ReturnType<typeof lazyCheck>>()

function partsOf(schema: TObject, value: unknown, at: string) {
  const check = checks.get(schema) ?? lazyCheck(schema)
  checks.set(schema, check)
  return check(value).map(({ detail, pointer }) => ({ detail, pointer: `${at}${pointer}` }))
}

/** @throws PLAT-019, PLAT-020 */
export async function checkDefinition({ egress }: Pick<Kernel, 'egress'>, asked: Checked): Promise<void> {
  const { kind, config, credentials, events, filter } = asked
  const definition = kindOf(kind)
  const parts = [
    ...partsOf(definition.config, config, '/config'),
    ...partsOf(definition.credentials, credentials, '/credentials'),
    ...(definition.sends || events.length === 0
      ? []
      : [{ detail: 'Nothing is sent to this kind.', pointer: '/events' }]),
    ...moreParts(asked),
  ]
  if (parts.length > 0)
    throw errors
      .configInvalid({
        what: `The integration does not have the form of the kind ${kind}. The catalog has its schemas.`,
      })
      .at(parts)
  refuseFilter(filter)
  const destination = destinationOf(definition, config, credentials)
  const verdict = await egress.resolveAndCheckBase(destination.split('?')[0] ?? destination)
  if (!verdict.ok && verdict.rule !== 'unresolvable')
    throw errors
      .destinationRefused({ rule: verdict.rule })
      .at([{ detail: `refused: ${verdict.rule}`, pointer: '/config' }])
}

function moreParts({ kind, config, credentials }: Checked): readonly { detail: string; pointer: string }[] {
  if (kind !== 'slack') return []
  if (credentials.webhook_url !== undefined) return []
  return [
    ...(credentials.bot_token === undefined
      ? [{ detail: 'Send `webhook_url` or `bot_token`.', pointer: '/credentials' }]
      : []),
    ...(config.channel === undefined ? [{ detail: 'A bot needs the channel.', pointer: '/config/channel' }] : []),
  ]
}

function refuseFilter(filter: string | null): void {
  if (filter === null) return
  const compiled = readFilter(filter)
  if (compiled.ok) return
  const place = compiled.position === null ? '' : ` (character ${compiled.position})`
  throw errors
    .configInvalid({ what: 'The filter cannot be used.' })
    .at([{ detail: `${compiled.reason}${place}`, pointer: '/filter' }])
}
