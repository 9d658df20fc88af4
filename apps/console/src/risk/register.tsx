import { Badge } from '../ui/badge'
import { money, points, words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'
import { HeatMap } from './heat-map'

const channels = ['risk.']

export function RegisterPage() {
  return (
    <ListPage
      title="Risk register"
      purpose="Risks with their residual rating, their expected loss, and whether it is above the tolerance."
      path="/risk/register"
      here="/risk/register"
      channels={channels}
      query={{ sort: '-score' }}
      keyOf={({ id }) => id}
      above={<HeatMap />}
      filters={[
        { name: 'rating', label: 'Rating', options: ['very_high', 'high', 'moderate', 'low', 'very_low'] },
        {
          name: 'status',
          label: 'Status',
          options: ['draft', 'identified', 'analyzed', 'evaluated', 'treating', 'accepted', 'monitoring', 'closed'],
        },
        { name: 'above_tolerance', label: 'Above tolerance', options: ['true', 'false'] },
        { name: 'q', label: 'Reference or title', text: true },
      ]}
      columns={[
        { name: 'Risk', clip: true, show: ({ reference, title }) => `${reference} ${title}` },
        { name: 'Rating', show: ({ rating }) => <Badge value={rating} /> },
        { name: 'Score', right: true, show: ({ score }) => points(score) },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Category', show: ({ category }) => words(category) },
        {
          name: 'Loss, 95 % of years below',
          right: true,
          show: ({ residual_var95, currency }) => (residual_var95 === null ? '–' : money(residual_var95, currency)),
        },
        {
          name: 'Tolerance',
          show: ({ above_tolerance }) => (above_tolerance ? <Badge value="failed" label="Above" /> : 'Within'),
        },
        { name: 'Red KRIs', right: true, show: ({ red_kris }) => red_kris },
        { name: 'Review', show: ({ review_due_at }) => <Ago at={review_due_at} /> },
      ]}
      empty={
        <Empty title="The register is empty" icon="risk">
          <p>A risk is entered with its owner and category; its losses are then analyzed by FAIR.</p>
        </Empty>
      }
    />
  )
}
