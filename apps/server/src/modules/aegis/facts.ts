/** Named facts about AEGIS that other modules may read. Tested in facts.test.ts. */
import Type, { type Static } from 'typebox'
import { sql } from '../../kernel/db/sql.ts'
import { defineFact } from '../../kernel/facts/define.ts'
import { strictObject } from '../../kernel/schema/types.ts'
import { KillSwitchRow } from './schemas.ts'

const { id, scope, value, level, reason, source, activated_at, expires_at } = KillSwitchRow.properties
const KillSwitchInForce = strictObject({ id, scope, value, level, reason, source, activated_at, expires_at })

export const killSwitchesFact = defineFact({
  name: 'aegis.kill_switches',
  description:
    'Kill switches of the tenant in force, the newest first. Those of the whole platform are its operators’.',
  permission: 'aegis:read',
  schema: strictObject({ kill_switches: Type.Array(KillSwitchInForce) }),
  read: async ({ tx, at }) => {
    const rows = await tx.query(sql<Static<typeof KillSwitchInForce>>`
      select id, scope, value, level, reason, source, activated_at, expires_at
      from aegis_kill_switch
      where status = 'active' and (expires_at is null or expires_at > ${at})
      order by activated_at desc, id desc`)
    return { kill_switches: [...rows] }
  },
})
