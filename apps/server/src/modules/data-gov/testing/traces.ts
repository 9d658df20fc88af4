/** Looks for planted texts in everything that is stored, without the code that is under test. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asOwner, script } from '../../../kernel/db/owner.ts'
import type { Driver } from '../../../kernel/db/port.ts'

/** Tables that hold one of the texts, in whatever case or as bytes. */
export async function tracesIn(driver: Driver, canaries: readonly string[]): Promise<readonly string[]> {
  const tables = await asOwner(driver, (run) =>
    run(
      script(`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition order by 1`),
    ),
  )
  const forms = canaries.flatMap((one) => [
    one.toLowerCase(),
    Buffer.from(one).toString('hex'),
    Buffer.from(one.toLowerCase()).toString('hex'),
  ])
  const found: string[] = []
  for (const name of tables.map((row) => String(row.name))) {
    const [row] = await asOwner(driver, async (run) => {
      await run(script('set local row_security = off'))
      return run(script(`select coalesce(string_agg(t::text, e'\\n'), '') as text from "${name}" t`))
    })
    const text = String(row?.text ?? '').toLowerCase()
    if (forms.some((form) => text.includes(form))) found.push(name)
  }
  return found
}

/** Whether a file below the folder holds one of the texts. */
export async function filesHold(folder: string, canaries: readonly string[]): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries.filter((one) => one.isFile())) {
    const text = (await readFile(join(entry.parentPath, entry.name))).toString('latin1').toLowerCase()
    if (canaries.some((one) => text.includes(one.toLowerCase()))) return true
  }
  return false
}
