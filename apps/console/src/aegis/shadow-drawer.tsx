import { type FormEvent, useState } from 'react'
import { change, type Data } from '../api/client'
import { useOne } from '../api/hooks'
import { useMay } from '../api/session'
import { useChange } from '../api/use-change'
import { Bar } from '../charts/bar'
import { Badge } from '../ui/badge'
import { Detail, useId } from '../ui/detail'
import { Area, Facts, Field } from '../ui/field'
import { moment, points, whole, words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Loaded, Problem } from '../ui/states'
import { movesOfService, verbOf } from './moves'

type Service = Data<'/aegis/shadow-ai/services/{shadow_service_id}'>
type Patch = Parameters<typeof change<'/aegis/shadow-ai/services/{shadow_service_id}'>>[1]['body']

export function ShadowDrawer() {
  const id = useId()
  const service = useOne('/aegis/shadow-ai/services/{shadow_service_id}', { params: { shadow_service_id: id } })
  return (
    <Detail title={service.data?.data.name ?? 'Service'} here="/aegis/shadow-ai">
      <Loaded query={service} lines={8}>
        {({ data, etag }) => <ServiceParts service={data} etag={etag} />}
      </Loaded>
    </Detail>
  )
}

function ServiceParts({ service, etag }: { readonly service: Service; readonly etag: string | null }) {
  const may = useMay('aegis:write')
  const { decision } = service
  return (
    <>
      <div className="row">
        <Badge value={service.status} />
        <span className="soft">{`Risk ${points(service.risk_score)} of 100`}</span>
      </div>
      {may ? <Decide service={service} etag={etag} /> : null}
      <Panel title="Reasons of the risk">
        <div className="bars">
          {service.risk_reasons.map(({ part, term, points: share, fact }) => (
            <Bar
              key={`${part} ${term}`}
              name={<span title={fact}>{words(term)}</span>}
              value={share}
              shown={points(share)}
              tone="warn"
            />
          ))}
        </div>
      </Panel>
      <Panel title="Facts">
        <Facts
          rows={[
            ['Hosts', service.hosts_seen.join(', ')],
            ['People', whole(service.users)],
            ['Requests', whole(service.requests)],
            ['Bytes up', whole(service.bytes_up)],
            ['Departments', service.departments.join(', ') || '–'],
            ['Seen in', service.evidence_sources.map((one) => one.toUpperCase()).join(', ')],
            ['First seen', moment(service.first_seen)],
            ['Decided', decision == null ? 'Not yet' : `${moment(decision.at)}: ${decision.reason}`],
          ]}
        />
      </Panel>
    </>
  )
}

/** Days that a service is tolerated unless another end is chosen. */
const toleratedDays = 90

function Decide({ service, etag }: { readonly service: Service; readonly etag: string | null }) {
  const [status, setStatus] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState(() => new Date(Date.now() + toleratedDays * 86_400_000).toISOString().slice(0, 10))
  const patch = useChange(
    (body: Patch) =>
      change('/aegis/shadow-ai/services/{shadow_service_id}', {
        params: { shadow_service_id: service.id },
        body,
        ...(etag === null ? {} : { ifMatch: etag }),
      }),
    ['/aegis/shadow-ai'],
    () => setStatus(null),
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const end = status === 'tolerated' ? { until: `${until}T00:00:00.000Z` } : {}
    patch.mutate({ status: status as Service['status'], reason, ...end })
  }
  return (
    <Panel title="Decision">
      <div className="stack">
        {patch.error === null ? null : (
          <Problem error={patch.error} retry={() => void patch.renew().then(patch.reset)} />
        )}
        <div className="row">
          {movesOfService(service.status).map((next) => (
            <button
              key={next}
              type="button"
              className="button"
              aria-pressed={status === next}
              onClick={() => setStatus(next)}
            >
              {verbOf(next)}
            </button>
          ))}
        </div>
        {status === null ? null : (
          <form className="stack" onSubmit={submit}>
            <Area label="Reason" required value={reason} onChange={(event) => setReason(event.target.value)} />
            {status === 'tolerated' ? (
              <Field
                label="Until"
                type="date"
                required
                value={until}
                onChange={(event) => setUntil(event.target.value)}
              />
            ) : null}
            <div className="row end">
              <button type="submit" className="button main" disabled={patch.isPending || reason === ''}>
                {`Set to ${words(status).toLowerCase()}`}
              </button>
            </div>
          </form>
        )}
      </div>
    </Panel>
  )
}
