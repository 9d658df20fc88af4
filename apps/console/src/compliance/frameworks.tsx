import { Meter } from '../charts/bar'
import { Badge } from '../ui/badge'
import { percent, points, words } from '../ui/format'
import { A } from '../ui/link'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'

const channels = ['compliance.framework.', 'compliance.check.']

export function FrameworksPage() {
  return (
    <ListPage
      title="Frameworks"
      purpose="Norms and how far their controls are satisfied by evidence. A control that nobody looked at never raises a score."
      path="/compliance/frameworks"
      channels={channels}
      keyOf={({ id }) => id}
      filters={[
        { name: 'adoption', label: 'Adoption', options: ['adopted', 'not_adopted', 'archived'] },
        { name: 'q', label: 'Title', text: true },
      ]}
      columns={[
        {
          name: 'Framework',
          show: ({ id, title, adoption }) =>
            adoption === 'adopted' ? <A href={`/compliance/controls?framework_id=${id}`}>{title}</A> : title,
        },
        { name: 'Edition', show: ({ edition }) => edition },
        { name: 'Adoption', show: ({ adoption }) => <Badge value={adoption} /> },
        { name: 'Controls', right: true, show: ({ control_count }) => control_count },
        {
          name: 'Coverage',
          show: ({ live_score: { coverage } }) =>
            coverage === null ? '–' : <Meter share={coverage} shown={percent(coverage)} />,
        },
        { name: 'Score', right: true, show: ({ live_score: { score } }) => (score === null ? '–' : points(score)) },
        {
          name: 'Possible',
          right: true,
          show: ({ live_score: { score_possible: best } }) => (best === null ? '–' : points(best)),
        },
        {
          name: 'Current evidence',
          right: true,
          show: ({ live_score: { evidence_current: now } }) => (now === null ? '–' : percent(now)),
        },
        { name: 'Publisher', clip: true, show: ({ publisher, source }) => publisher ?? words(source) },
      ]}
      empty={<Empty title="No frameworks" icon="compliance" />}
    />
  )
}
