import { whole, words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'

export function ModelsPage() {
  return (
    <ListPage
      title="Models"
      purpose="Models that can be asked, what they take, and their prices for a million tokens."
      path="/gateway/models"
      keyOf={({ id }) => id}
      filters={[{ name: 'q', label: 'Name', text: true }]}
      columns={[
        { name: 'Model', show: ({ key }) => key },
        { name: 'Enabled', show: ({ enabled }) => (enabled ? 'Yes' : 'No') },
        {
          name: 'Context',
          right: true,
          show: ({ context_tokens }) => (context_tokens == null ? '–' : whole(context_tokens)),
        },
        { name: 'Input price', right: true, show: ({ prices }) => prices?.prices.input ?? '–' },
        { name: 'Output price', right: true, show: ({ prices }) => prices?.prices.output ?? '–' },
        { name: 'Currency', show: ({ prices }) => prices?.currency ?? '–' },
        { name: 'Source', show: ({ source }) => words(source) },
      ]}
      empty={<Empty title="No models" icon="gateway" />}
    />
  )
}
