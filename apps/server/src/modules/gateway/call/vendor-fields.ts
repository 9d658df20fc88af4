/**
 * Fields that only a provider of the same form understands. They have no row in the tables of providers: the form
 * decides. Tested in fields.test.ts.
 */
import { geoName } from './asked-places.ts'
import { type Field, parts } from './field.ts'
import { foreignExtras, ownExtras } from './vendor-extras.ts'

export const vendorFields: readonly Field[] = [
  {
    uses: ({ tools }, forms) =>
      tools.flatMap((tool, index) => (tool.kind === 'opaque' && !forms.includes(tool.form) ? [`/tools/${index}`] : [])),
    without: (call, forms) => ({
      ...call,
      tools: call.tools.filter((tool) => tool.kind === 'function' || forms.includes(tool.form)),
    }),
  },
  parts((part, forms) => 'source' in part && part.source?.kind === 'id' && !forms.includes(part.source.form)),
  // A call that requires a region is not sent to a provider that cannot be told about it.
  { uses: (call, forms) => foreignExtras(call, forms).flatMap(({ at }) => (at === `/${geoName}` ? [at] : [])) },
  // The answer would be stored at the vendor, where it cannot be inspected.
  { uses: ({ extra }) => extra.flatMap(({ at }) => (at === '/background' ? [at] : [])) },
  {
    uses: (call, forms) => foreignExtras(call, forms).flatMap(({ at, optional }) => (optional ? [] : [at])),
    without: ownExtras,
  },
]
