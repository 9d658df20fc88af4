import type { OwnerRun } from '../owner.ts'
import { roles } from '../scope.ts'
import { sql } from '../sql.ts'

/** A table as `pg_catalog` describes it. */
export interface CatalogTable {
  readonly name: string
  readonly secured: boolean
  readonly forced: boolean
  readonly columns: readonly CatalogColumn[]
  readonly policies: readonly CatalogPolicy[]
  /** `role:privilege` of the table and `role:privilege(column)` of its columns, sorted. */
  readonly grants: readonly string[]
  /** Column names of each index, in order. */
  readonly indexes: readonly (readonly string[])[]
  /** Column names of each foreign key with the table it points to. */
  readonly references: readonly { readonly name: string; readonly to: string; readonly columns: readonly string[] }[]
}

export interface CatalogColumn {
  readonly name: string
  /** As in a declaration, for instance `timestamp(3) with time zone`. */
  readonly type: string
}

export interface CatalogPolicy {
  readonly name: string
  readonly roles: readonly string[]
  readonly command: string
  readonly using: string | null
  readonly check: string | null
  readonly permissive: boolean
}

// Partitions are left out: the roles have no rights on them but through their parent.
// Everybody (`public`) counts as well: a grant to it would reach every role.
const read = sql`
  select c.relname as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
    (select coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum), '[]')
     from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(jsonb_agg(jsonb_build_object(
        'name', p.polname,
        'roles', (select jsonb_agg(case when role = 0 then 'public' else pg_get_userbyid(role) end) from unnest(p.polroles) as role),
        'command', case p.polcmd when '*' then 'all' when 'a' then 'insert' when 'r' then 'select' else p.polcmd::text end,
        'using', pg_get_expr(p.polqual, p.polrelid),
        'check', pg_get_expr(p.polwithcheck, p.polrelid),
        'permissive', p.polpermissive) order by p.polname), '[]')
     from pg_policy p where p.polrelid = c.oid) as policies,
    (select coalesce(jsonb_agg(g.text order by g.text), '[]') from (
       select distinct coalesce(r.rolname, 'public') || ':' || lower(x.privilege_type) as text
       from aclexplode(c.relacl) x left join pg_roles r on r.oid = x.grantee
       where x.grantee = 0 or r.rolname = any(${Object.values(roles)}::text[])
       union
       select coalesce(r.rolname, 'public') || ':' || lower(x.privilege_type) || '(' || a.attname || ')'
       from pg_attribute a cross join lateral aclexplode(a.attacl) x left join pg_roles r on r.oid = x.grantee
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         and (x.grantee = 0 or r.rolname = any(${Object.values(roles)}::text[]))) g) as grants,
    (select coalesce(jsonb_agg(
        (select jsonb_agg(a.attname order by k.place)
         from unnest(i.indkey::int2[]) with ordinality as k(attnum, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum)), '[]')
     from pg_index i where i.indrelid = c.oid and i.indpred is null) as indexes,
    (select coalesce(jsonb_agg(jsonb_build_object('name', f.conname, 'to', f.confrelid::regclass::text, 'columns',
        (select jsonb_agg(a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum = any(f.conkey)))), '[]')
     from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.conparentid = 0) as "references"
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`

/** All tables of the schema. */
export async function readCatalog(run: OwnerRun): Promise<readonly CatalogTable[]> {
  // The statement builds exactly this form; the catalog check's tests hold it to that.
  return (await run(read)) as unknown as readonly CatalogTable[]
}
