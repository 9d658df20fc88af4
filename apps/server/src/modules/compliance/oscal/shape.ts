/** The form of OSCAL documents as far as they are read, as schemas that let other members pass. */
import Type from 'typebox'
import { oneOf } from '../../../kernel/schema/types.ts'

const open = { additionalProperties: true }
const Text = Type.String({ maxLength: 200_000 })
const Token = Type.String({ pattern: '^(\\p{L}|_)(\\p{L}|\\p{N}|[.\\-_])*$', maxLength: 250 })
const DocumentId = Type.String({
  pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[1-8][0-9A-Fa-f]{3}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
})
const Words = Type.Array(Text, { minItems: 1, maxItems: 50_000 })
const optional = Type.Optional

const Metadata = Type.Object(
  {
    title: Text,
    version: Text,
    'last-modified': Text,
    'oscal-version': Type.String({ pattern: '^1\\.', maxLength: 40 }),
  },
  open,
)
const Properties = Type.Array(Type.Object({ name: Token, value: Text }, open), { minItems: 1 })
const Links = Type.Array(Type.Object({ href: Text }, open), { minItems: 1 })
const Parameters = Type.Array(
  Type.Object(
    {
      id: Token,
      label: optional(Text),
      values: optional(Words),
      select: optional(Type.Object({ choice: optional(Words) }, open)),
    },
    open,
  ),
  { minItems: 1 },
)
const BackMatter = Type.Object(
  { resources: optional(Type.Array(Type.Object({ uuid: DocumentId }, open), { minItems: 1 })) },
  open,
)

/** Of one part, control or group, without those below it, which are held against the same. */
export const PartShape = Type.Object(
  {
    ...{ id: optional(Token), name: Token, title: optional(Text), prose: optional(Text) },
    ...{
      props: optional(Properties),
      links: optional(Links),
      parts: optional(Type.Array(Type.Unknown(), { minItems: 1 })),
    },
  },
  open,
)
export const ControlShape = Type.Object(
  {
    ...{ id: Token, title: Text, class: optional(Token), params: optional(Parameters), props: optional(Properties) },
    ...{ links: optional(Links), parts: optional(Type.Array(Type.Unknown(), { minItems: 1 })) },
    controls: optional(Type.Array(Type.Unknown(), { minItems: 1 })),
  },
  open,
)
export const GroupShape = Type.Object(
  {
    ...{ id: optional(Token), title: Text, params: optional(Parameters), props: optional(Properties) },
    ...{ links: optional(Links), parts: optional(Type.Array(Type.Unknown(), { minItems: 1 })) },
    groups: optional(Type.Array(Type.Unknown(), { minItems: 1 })),
    controls: optional(Type.Array(Type.Unknown(), { minItems: 1 })),
  },
  open,
)
export const CatalogShape = Type.Object(
  {
    ...{ uuid: DocumentId, metadata: Metadata, params: optional(Parameters), 'back-matter': optional(BackMatter) },
    groups: optional(Type.Array(Type.Unknown(), { minItems: 1 })),
    controls: optional(Type.Array(Type.Unknown(), { minItems: 1 })),
  },
  open,
)

const Selections = Type.Array(
  Type.Object(
    {
      'with-child-controls': optional(oneOf('yes', 'no')),
      'with-ids': optional(Type.Array(Token, { minItems: 1 })),
      matching: optional(Type.Array(Type.Object({ pattern: optional(Text) }, open), { minItems: 1 })),
    },
    open,
  ),
  { minItems: 1 },
)
const Additions = Type.Array(
  Type.Object(
    {
      position: optional(oneOf('before', 'after', 'starting', 'ending')),
      ...{ 'by-id': optional(Token), title: optional(Text), params: optional(Parameters) },
      ...{
        props: optional(Properties),
        links: optional(Links),
        parts: optional(Type.Array(PartShape, { minItems: 1 })),
      },
    },
    open,
  ),
  { minItems: 1 },
)
export const ProfileShape = Type.Object(
  {
    ...{ uuid: DocumentId, metadata: Metadata, 'back-matter': optional(BackMatter) },
    imports: Type.Array(
      Type.Object(
        {
          href: Text,
          'include-all': optional(Type.Object({}, open)),
          'include-controls': optional(Selections),
          'exclude-controls': optional(Selections),
        },
        open,
      ),
      { minItems: 1, maxItems: 100 },
    ),
    merge: optional(
      Type.Object(
        {
          combine: optional(Type.Object({ method: optional(oneOf('use-first', 'merge', 'keep')) }, open)),
          'as-is': optional(Type.Boolean()),
        },
        open,
      ),
    ),
    modify: optional(
      Type.Object(
        {
          'set-parameters': optional(Type.Array(Type.Object({ 'param-id': Token }, open), { minItems: 1 })),
          alters: optional(
            Type.Array(Type.Object({ 'control-id': Token, adds: optional(Additions) }, open), { minItems: 1 }),
          ),
        },
        open,
      ),
    ),
  },
  open,
)

const Items = Type.Array(Type.Object({ type: Text, 'id-ref': Text }, open), { minItems: 1, maxItems: 1000 })
const Reference = Type.Object({ type: Text, href: Text }, open)
export const MappingShape = Type.Object(
  {
    ...{ uuid: DocumentId, metadata: Metadata, provenance: Type.Object({}, open) },
    mappings: Type.Array(
      Type.Object(
        {
          ...{ uuid: DocumentId, 'source-resource': Reference, 'target-resource': Reference },
          maps: Type.Array(
            Type.Object({ uuid: DocumentId, relationship: Text, sources: Items, targets: Items }, open),
            { minItems: 1, maxItems: 50_000 },
          ),
        },
        open,
      ),
      { minItems: 1, maxItems: 100 },
    ),
  },
  open,
)
