import { Badge } from '../ui/badge'
import { money, words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

export function BudgetsPage() {
  return (
    <ListPage
      title="Budgets"
      purpose="Limits of cost with what is left of them. Hard ones refuse calls, soft ones warn."
      path="/gateway/budgets"
      keyOf={({ id }) => id}
      columns={[
        { name: 'Name', show: ({ name }) => name },
        { name: 'Kind', show: ({ kind }) => words(kind) },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Amount', right: true, show: ({ amount, currency }) => money(amount, currency) },
        { name: 'Spent', right: true, show: ({ spent, currency }) => money(spent, currency) },
        { name: 'Left', right: true, show: ({ remaining, currency }) => money(remaining, currency) },
        { name: 'Begins anew', show: ({ resets_at }) => <Ago at={resets_at} /> },
      ]}
      empty={
        <Empty title="No budgets" icon="gateway">
          <p>Costs are recorded, and nothing limits them. A budget is made by the API.</p>
        </Empty>
      }
    />
  )
}
