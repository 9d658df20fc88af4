import Type, { type Static } from 'typebox'
import { sql } from '../../../kernel/db/sql.ts'
import { defineFact } from '../../../kernel/facts/define.ts'
import { mostItems, populationOf, readPopulation } from '../../../kernel/facts/population.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const Domain = strictObject({
  id: { ...Uuid, description: 'Of the connection' },
  domain: Type.String({ maxLength: 253 }),
  enforced: Type.Boolean({ description: 'Its people sign in by single sign-on only' }),
})

export const ssoDomainsFact = defineFact({
  name: 'iam.sso_domains',
  description: 'Proven domains of active single sign-on connections, and whether single sign-on is enforced.',
  permission: 'iam:read',
  schema: populationOf(Domain),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`
        select coalesce(sum(jsonb_array_length(jsonb_path_query_array(domains, '$[*] ? (@.verified_at != null)'))), 0)::int
          as total
        from iam_sso_connection where status = 'active'`,
      items: sql<Static<typeof Domain> & { recount: number }>`
        select c.id, one ->> 'domain' as domain, c.enforced, count(*) over ()::int as recount
        from iam_sso_connection c cross join lateral jsonb_array_elements(c.domains) one
        where c.status = 'active' and one ->> 'verified_at' is not null
        order by domain limit ${mostItems}`,
    }),
})

const Certificate = strictObject({
  id: { ...Uuid, description: 'Of the connection' },
  name: Type.String({ maxLength: 200 }),
  expires_at: nullable(Timestamp),
})

export const ssoCertificatesFact = defineFact({
  name: 'iam.sso_certificates',
  description: 'Active SAML connections with the end of the last certificate of their identity provider.',
  permission: 'iam:read',
  schema: populationOf(Certificate),
  read: ({ tx }) =>
    readPopulation(tx, {
      count: sql`select count(saml)::int as total from iam_sso_connection where status = 'active'`,
      items: sql<Static<typeof Certificate> & { recount: number }>`
        select id, name, certificate_expires_at as expires_at, count(*) over ()::int as recount
        from iam_sso_connection where type = 'saml' and status = 'active' order by id limit ${mostItems}`,
    }),
})
