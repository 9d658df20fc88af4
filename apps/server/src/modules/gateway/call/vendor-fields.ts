/**
 * What only a party of the same form understands. It has no row in the tables of providers: the form decides. Tested in
 * fields.test.ts.
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
  // Whoever asks where a call is worked on is not asked elsewhere without that word.
  { uses: (call, forms) => foreignExtras(call, forms).flatMap(({ at }) => (at === `/${geoName}` ? [at] : [])) },
  // The answer would be kept at the vendor, and nobody here would see it.
  { uses: ({ extra }) => extra.flatMap(({ at }) => (at === '/background' ? [at] : [])) },
  {
    uses: (call, forms) => foreignExtras(call, forms).flatMap(({ at, optional }) => (optional ? [] : [at])),
    without: ownExtras,
  },
]
