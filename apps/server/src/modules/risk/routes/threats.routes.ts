import { scopeOf } from '../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import type { RiskServices } from '../register/register-parts.ts'
import { importThreats } from '../threats/import.ts'
import { Import, NewImport, Threat, ThreatFilter } from '../threats/library/schema.ts'
import { threats } from '../threats/library/tables.ts'
import { listThreats } from '../threats/threats.ts'

const route = routesOf<RiskServices>()

export const threatRoutes = [
  route.get('/threats', {
    permission: 'risk:read',
    summary: 'Search the threat library',
    query: ThreatFilter,
    returns: [200, Threat],
    list: { table: threats, default: 'external_id' },
    handler: ({ tx, page, query }) => listThreats(tx, { page, filter: query }),
  }),
  route.post('/threats/import', {
    permission: 'risk:write',
    summary: 'Import into the threat library, or calculate scores',
    description:
      '`stix`: a bundle of STIX 2.1 or 2.0, such as ATT&CK. `atlas`: ATLAS as JSON. `cve`: a JSON list of `{cve, name, cvss_vector, exploitation, automatable, technical_impact, mission}`, or CVE records. `epss_csv`: the daily file of FIRST, kept for vulnerabilities that the library has. `kev_json`: CISA’s catalog. `custom`: a JSON list of `{external_id, type, name, tactics, platforms, parent_id, aliases, mitigations, groups}`. A newer `modified` replaces an older one; revoked and deprecated threats stay and are hidden. With `dry_run` nothing is stored and `items` has the result, so that one CVSS vector gives its score.',
    body: NewImport,
    bodyLimit: 64 * 1_048_576,
    returns: [201, Import],
    audit: 'risk.threats.import',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [errors.importInvalid, errors.cvssVectorInvalid],
    handler: (context) => importThreats(context.kernel, { scope: scopeOf(context), body: context.body }),
  }),
]
