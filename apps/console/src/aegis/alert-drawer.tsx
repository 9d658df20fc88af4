import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { useMay } from '../api/session'
import { Badge } from '../ui/badge'
import { Detail, useId } from '../ui/detail'
import { Facts } from '../ui/field'
import { moment, words } from '../ui/format'
import { A } from '../ui/link'
import { Panel } from '../ui/panel'
import { Person } from '../ui/person'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { AlertActions } from './alert-actions'

export type Alert = Data<'/aegis/alerts/{alert_id}'>

export function AlertDrawer() {
  const id = useId()
  const alert = useOne('/aegis/alerts/{alert_id}', { params: { alert_id: id } })
  return (
    <Detail title={alert.data?.data.title ?? 'Alert'} here="/aegis/alerts">
      <Loaded query={alert} lines={8}>
        {({ data, etag }) => <AlertParts alert={data} etag={etag} />}
      </Loaded>
    </Detail>
  )
}

function AlertParts({ alert, etag }: { readonly alert: Alert; readonly etag: string | null }) {
  const may = useMay('aegis:write')
  return (
    <>
      <div className="row">
        <Badge value={alert.severity} />
        <Badge value={alert.status} />
        {alert.resolution === null ? null : <span>{words(alert.resolution)}</span>}
      </div>
      {may ? <AlertActions alert={alert} etag={etag} /> : null}
      <Panel title="Facts">
        <Facts rows={factsOf(alert)} />
      </Panel>
      <Panel title="Evidence" flush>
        <Table
          label="Evidence"
          rows={alert.evidence}
          keyOf={({ id }) => id}
          columns={[
            { name: 'Time', show: ({ at }) => moment(at) },
            { name: 'Source', show: ({ source }) => <code>{source}</code> },
            { name: 'Summary', show: ({ summary }) => summary },
            { name: 'Request', show: ({ request_id }) => <RequestLink id={request_id} /> },
          ]}
        />
      </Panel>
      <Timeline timeline={alert.timeline} />
      <Related related={alert.related} />
    </>
  )
}

function factsOf(alert: Alert): readonly (readonly [string, React.ReactNode])[] {
  return [
    ['Hits', String(alert.count)],
    ['First seen', moment(alert.first_seen)],
    ['Last seen', moment(alert.last_seen)],
    ['About', alert.entities.map(({ type, id, name }) => `${words(type)} ${name ?? id}`).join(', ')],
    ['Tags', alert.tags.join(', ')],
    ['Assigned to', alert.assignee_user_id === null ? 'Nobody' : <Person key="person" id={alert.assignee_user_id} />],
    ['Acknowledge by', alert.sla.ack_due === null ? '–' : moment(alert.sla.ack_due)],
    ['Resolve by', alert.sla.resolve_due === null ? '–' : moment(alert.sla.resolve_due)],
  ]
}

function RequestLink({ id }: { readonly id: string | null }) {
  return id === null ? <span className="faint">–</span> : <A href={`/gateway/requests/${id}`}>Trace</A>
}

function Timeline({ timeline }: Pick<Alert, 'timeline'>) {
  const keyed = timeline.map((entry, index) => ({ ...entry, key: `${entry.at} ${index}` }))
  return (
    <Panel title="Timeline" flush>
      <Table
        label="Timeline"
        rows={keyed}
        keyOf={({ key }) => key}
        columns={[
          { name: 'Time', show: ({ at }) => moment(at) },
          {
            name: 'Change',
            show: ({ kind, from, to }) => `${words(kind)}${to === null ? '' : `: ${words(from ?? '')} → ${words(to)}`}`,
          },
          { name: 'Comment', show: ({ comment }) => comment },
        ]}
      />
    </Panel>
  )
}

function Related({ related }: Pick<Alert, 'related'>) {
  return (
    <Panel title="Related alerts" flush>
      {related.length === 0 ? (
        <Empty title="None about the same entities" />
      ) : (
        <Table
          label="Related alerts"
          rows={related}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/aegis/alerts/${id}`}
          columns={[
            { name: 'Alert', show: ({ title }) => title },
            { name: 'Severity', show: ({ severity }) => <Badge value={severity} /> },
            { name: 'Status', show: ({ status }) => <Badge value={status} /> },
          ]}
        />
      )}
    </Panel>
  )
}
