import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { Badge } from '../ui/badge'
import { Detail, useId } from '../ui/detail'
import { Facts } from '../ui/field'
import { milliseconds, moment, money, words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Loaded } from '../ui/states'
import { Findings } from './findings'
import { Payload } from './payload'
import { Waterfall } from './waterfall'

export type Trace = Data<'/gateway/requests/{request_id}'>

export function RequestDrawer() {
  const id = useId()
  const trace = useOne('/gateway/requests/{request_id}', { params: { request_id: id } })
  return (
    <Detail title="Request trace" here="/gateway/requests">
      <Loaded query={trace} lines={9}>
        {({ data }) => <TraceParts trace={data} />}
      </Loaded>
    </Detail>
  )
}

function TraceParts({ trace }: { readonly trace: Trace }) {
  const { timings } = trace
  return (
    <>
      <div className="row">
        <Badge value={trace.decision} />
        <span>{verdictOf(trace)}</span>
      </div>
      <Panel
        title="Pipeline"
        tools={<span className="soft small number">{milliseconds(timings.pipeline_ms)} in all steps</span>}
      >
        <Waterfall steps={trace.steps} blockedStep={trace.blocked_step} />
      </Panel>
      <Findings security={trace.security} entities={trace.entities} patterns={trace.patterns} />
      <Payload payload={trace.payload ?? null} retention={trace.retention} />
      <Panel title="Facts">
        <Facts rows={factsOf(trace)} />
      </Panel>
    </>
  )
}

function verdictOf({ decision, blocked_step, error_code, provider }: Trace): string {
  if (decision === 'blocked')
    return `Stopped at the step “${words(blocked_step ?? 'unknown')}” with ${error_code ?? 'no code'}; nothing left for a provider.`
  if (decision === 'redacted')
    return `Personal data and secrets were replaced before the call left for ${provider ?? 'the provider'}.`
  if (decision === 'flagged')
    return `The call went to ${provider ?? 'the provider'}, with findings that a person should see.`
  return `The call went to ${provider ?? 'the provider'} with nothing found.`
}

function factsOf(trace: Trace): readonly (readonly [string, React.ReactNode])[] {
  const { timings, usage, cost, audit } = trace
  return [
    ['Request id', <code key="id">{trace.request_id}</code>],
    ['Time', moment(trace.created_at)],
    [
      'Provider and model',
      `${trace.provider ?? trace.requested_provider ?? '–'} / ${trace.model ?? trace.requested_model ?? '–'}`,
    ],
    ['Policy mode', words(trace.policy_mode)],
    ['Tokens', usage == null ? '–' : `${usage.prompt_tokens} in, ${usage.completion_tokens} out`],
    ['Cost', cost.amount === null ? words(cost.status) : money(cost.amount, cost.currency)],
    ['Provider time', milliseconds(timings.upstream_ms)],
    ['Total time', milliseconds(timings.total_ms)],
    ['Cache', words(trace.cache)],
    ['Kept', words(trace.retention)],
    [
      'Audit chain',
      audit == null ? 'Not sealed yet' : <code key="seal">{`#${audit.seq} ${audit.hash.slice(0, 16)}…`}</code>,
    ],
  ]
}
