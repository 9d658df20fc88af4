import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../src/kernel/config/load.ts'
import { startProgram } from '../../src/program.ts'
import { openTestDatabase } from '../support/database.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parapet-refused-'))
})
afterAll(() => rm(folder, { recursive: true }))

test.skipIf(process.platform === 'win32')(
  'C84 a start that is not safe names every reason with its word, and has changed nothing in the database',
  async () => {
    const token = join(folder, 'token')
    await writeFile(token, 'token')
    await chmod(token, 0o644)
    const database = await openTestDatabase({ tables: [], migrations: [] })
    const scripts: string[] = []
    const driver = {
      ...database.driver,
      script: async (text: string) => {
        scripts.push(text)
        return database.driver.script(text)
      },
    }
    const config = loadConfig({
      PARAPET_DATA_DIR: folder,
      PARAPET_HOST: '0.0.0.0',
      PARAPET_LOG_LEVEL: 'debug',
      PARAPET_METRICS_TOKEN: 'sesame',
      PARAPET_KEK_VAULT_TOKEN_FILE: token,
    })
    const refused: unknown = await startProgram({ config, driver, refuseRisks: true }).catch((error: unknown) => error)
    const words = [...String(refused).matchAll(/PARAPET_ACCEPTED_RISKS=(\w+)/g)].map(([, word]) => word)
    // On PostgreSQL the login of the tests is a superuser.
    expect(words.filter((word) => word !== 'login')).toEqual(['http', 'debug', 'secrets', 'files'])
    expect(String(refused)).not.toContain('sesame')
    expect(scripts).toEqual([])
  },
)
