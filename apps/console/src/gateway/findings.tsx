import { Badge } from '../ui/badge'
import { words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Table } from '../ui/table'
import type { Trace } from './request-drawer'

type Security = Trace['security']

interface FindingsProps {
  readonly security: Security
  readonly entities: Trace['entities']
  readonly patterns: Trace['patterns']
}

/** The rules that matched, with place and action; the matched text itself is never shown. */
export function Findings({ security, entities, patterns }: FindingsProps) {
  const { policy_violations: violations, injection_score: score } = security
  const kinds = Object.entries(entities)
  if (violations.length === 0 && kinds.length === 0) return null
  return (
    <Panel title="Findings" flush>
      <Table
        label="Findings"
        rows={violations}
        keyOf={({ rule_id, step, location }) => `${rule_id} ${step} ${location}`}
        columns={[
          { name: 'Rule', show: ({ rule_id }) => <code>{rule_id}</code> },
          { name: 'Step', show: ({ step }) => words(step) },
          { name: 'Place', show: ({ location }) => <code>{location}</code> },
          { name: 'Hits', right: true, show: ({ count }) => count },
          { name: 'Severity', show: ({ severity }) => <Badge value={severity} /> },
          { name: 'Action', show: ({ action }) => <Badge value={action} /> },
        ]}
      />
      <footer className="row small soft">
        {score === null ? null : <span className="number">{`Injection score ${score}`}</span>}
        {kinds.map(([kind, count]) => (
          <span key={kind} className="badge" data-tone="violet">{`${words(kind)}: ${String(count)}`}</span>
        ))}
        {patterns.map((pattern) => (
          <code key={pattern}>{pattern}</code>
        ))}
      </footer>
    </Panel>
  )
}
