import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTestFiles } from '../../../../scripts/tests/projects.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parapet-projects-'))
  await write('packages/detect/src/text.test.ts', '')
  await write('apps/server/test/support/database.ts', '')
  await write('apps/server/test/support/world.ts', "import { open } from './database.ts'")
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function write(file: string, source: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), source)
}

const projects = () => {
  const files = readTestFiles(root)
  return Object.fromEntries(files.all.map((file) => [file, files.projectOf(file)]))
}

test('a file beside the code that reaches the opener of databases through a helper is of the module project', async () => {
  await write('apps/server/src/modules/gateway/testing/world.ts', "export * from '../../../../test/support/world.ts'")
  await write('apps/server/src/modules/gateway/calls/calls.test.ts', "import { open } from '../testing/world.ts'")
  await write('apps/server/src/modules/gateway/calls/pure.test.ts', "import { one } from './missing.ts'")
  expect(projects()).toEqual({
    'apps/server/src/modules/gateway/calls/calls.test.ts': 'module',
    'apps/server/src/modules/gateway/calls/pure.test.ts': 'unit',
    'packages/detect/src/text.test.ts': 'unit',
  })
})

test('every file in the test folder of a package is of the system project, at any depth', async () => {
  await write('apps/server/test/crash/crash.test.ts', '')
  await write('packages/detect/test/fuzz.test.ts', '')
  expect(projects()).toEqual({
    'apps/server/test/crash/crash.test.ts': 'system',
    'packages/detect/src/text.test.ts': 'unit',
    'packages/detect/test/fuzz.test.ts': 'system',
  })
})

test('a file beside the code that starts an installation of its own is of the system project', async () => {
  await write('apps/server/src/own.test.ts', 'const world = await openWorld({ own: true })')
  await write('apps/server/src/type.test.ts', "import type { OwnWorld } from '../test/support/world.ts'")
  await write('apps/server/src/shared.test.ts', "import '../test/support/world.ts'\nconst world = await openWorld()")
  expect(projects()).toMatchObject({
    'apps/server/src/own.test.ts': 'system',
    'apps/server/src/type.test.ts': 'system',
    'apps/server/src/shared.test.ts': 'module',
  })
})

test('files that import each other in a circle and dynamic imports are followed', async () => {
  await write('apps/server/src/a.test.ts', "import './b.ts'")
  await write('apps/server/src/b.ts', "import { c } from './c.ts'")
  await write('apps/server/src/c.ts', "import './b.ts'\nconst d = () => import('../test/support/world.ts')")
  expect(projects()['apps/server/src/a.test.ts']).toBe('module')
})
