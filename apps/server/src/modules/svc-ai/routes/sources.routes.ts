import { apiErrors } from '../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf, Versioned } from '../../../kernel/module/route.ts'
import { Deleted, listed } from '../../../kernel/schema/types.ts'
import { NewSource, Source, SourceFilter } from '../declared/source-schema.ts'
import { sources } from '../declared/source-tables.ts'
import { errors } from '../errors/errors.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { addSource } from '../sources/add-source.ts'
import { listSources, removeSource, sourceView } from '../sources/sources.ts'

const route = routesOf<SvcAiServices>()

export const sourceRoutes = [
  route.get('/knowledge-sources', {
    permission: 'svc-ai:read',
    summary: 'List the knowledge sources',
    description:
      'Those that you may read or have made; with `svc-ai:admin` all of them. `q` is the beginning of a name.',
    query: SourceFilter,
    returns: [200, listed(Source)],
    list: { table: sources, default: '-created_at' },
    handler: ({ tx, page, query, actor }) => listSources(tx, { page, filter: query, actor }),
  }),
  route.post('/knowledge-sources', {
    permission: 'svc-ai:write',
    summary: 'Add a knowledge source, or index one again',
    description:
      'Files, a text, one address, or facts of other modules. It is indexed in the background; `status` says how far it is. With `resync: true` the source of this name is indexed again, with new content where some is sent; the old version answers until then. `acl` decides at each question for which people its passages are found.',
    body: NewSource,
    bodyLimit: 28 * 1_048_576,
    returns: [201, Source],
    audit: 'svc_ai.source.create',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [
      ...[apiErrors.validation, apiErrors.tooLarge, apiErrors.storageFull, apiErrors.badCron, apiErrors.badTimeZone],
      ...[errors.unknownReference, errors.sourceBusy, errors.urlRefused, errors.documentRefused, errors.nameTaken],
    ],
    handler: async (context) => {
      const row = await addSource(context.services, {
        ...{ scope: scopeOf(context), actor: context.actor, input: context.body },
      })
      return new Versioned(sourceView(row), row.version)
    },
  }),
  route.delete('/knowledge-sources/{source_id}', {
    permission: 'svc-ai:write',
    summary: 'Delete a knowledge source',
    description:
      'Documents, chunks and index go in one transaction. Citations of it in conversations keep their title and lose their quote.',
    returns: [200, Deleted],
    audit: 'svc_ai.source.delete',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, apiErrors.onHold],
    handler: ({ tx, kernel, params, actor, precondition }) =>
      removeSource(kernel, tx, { actor, id: params.source_id, precondition }),
  }),
]
