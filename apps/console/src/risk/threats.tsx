import { Badge } from '../ui/badge'
import { percent, words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'

export function ThreatsPage() {
  return (
    <ListPage
      title="Threat library"
      purpose="Techniques, groups and vulnerabilities that risks refer to, with exploitation data."
      path="/risk/threats"
      keyOf={({ id }) => id}
      filters={[
        { name: 'source', label: 'Source', options: ['attack', 'atlas', 'cve', 'custom'] },
        { name: 'q', label: 'Id, name or alias', text: true },
      ]}
      columns={[
        { name: 'Id', show: ({ external_id }) => <code>{external_id}</code> },
        { name: 'Name', clip: true, show: ({ name }) => name },
        { name: 'Kind', show: ({ type }) => words(type) },
        { name: 'Tactics', clip: true, show: ({ tactics }) => tactics.map(words).join(', ') || '–' },
        { name: 'CVSS', right: true, show: ({ cvss_score }) => cvss_score ?? '–' },
        { name: 'EPSS', right: true, show: ({ epss }) => (epss === null ? '–' : percent(epss)) },
        {
          name: 'Exploited',
          show: ({ kev }) => (kev === null ? '–' : <Badge value="critical" label={`Since ${kev.date_added}`} />),
        },
      ]}
      empty={<Empty title="The library is empty" icon="risk" />}
    />
  )
}
