/**
 * The key-encryption key in a file: made at the first start, read at every one. It promises that processes starting at
 * once end with one key and that a kill leaves either no file or a whole one; it does not protect the key from anyone
 * who can read the folder. Tested in file.test.ts.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KeyRefused, keyFromBase64 } from './check.ts'

/** Far above 44 characters of base64 and above what any key service has locked; a larger file is some other file. */
const largestFile = 4096

/** @throws KeyRefused when the file may be read by others, or holds no good key. */
export async function kekFromFile(path: string): Promise<Uint8Array> {
  const existing = await readKey(path)
  if (existing !== null) return existing
  return keyFromBase64(await makeOnce(path, randomBytes(32).toString('base64')))
}

/** Keeps the text at the path unless one is there; answers what is there then, for every process the same. */
export async function makeOnce(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await putBeside(path, text, async (beside) => {
    try {
      await link(beside, path)
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
  })
  const made = await readText(path)
  if (made === null) throw new KeyRefused(`file ${path} vanished while it was made.`)
  return made
}

/** Replaces the file's text; a kill leaves the old or the new one. */
export async function replaceText(path: string, text: string): Promise<void> {
  await putBeside(path, text, (beside) => rename(beside, path))
}

/** Written beside, made durable, then put in place: `link` never replaces, so the first process wins and others read its key. */
async function putBeside(path: string, text: string, place: (beside: string) => Promise<void>): Promise<void> {
  const beside = `${path}.${randomBytes(8).toString('hex')}.new`
  const file = await open(beside, 'wx', 0o600)
  try {
    await file.writeFile(`${text}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await place(beside)
  } finally {
    await rm(beside, { force: true })
  }
  await syncFolder(dirname(path))
}

/** The key in the file, or null where there is no file. @throws KeyRefused as `kekFromFile` */
export async function readKey(path: string): Promise<Uint8Array | null> {
  const text = await readText(path)
  return text === null ? null : keyFromBase64(text)
}

/** Content of the file, without the line end. @throws KeyRefused when it may be read by others or is no such file */
export async function readText(path: string): Promise<string | null> {
  const file = await openExisting(path)
  if (file === null) return null
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw new KeyRefused(`at ${path} is not a plain file.`)
    if (facts.size > largestFile) throw new KeyRefused(`file ${path} is too large to be a key.`)
    // Group read stays allowed: orchestrators mount secrets that way.
    if (process.platform !== 'win32' && (facts.mode & 0o027) !== 0) {
      throw new KeyRefused(`file ${path} may be read or changed by others; run: chmod 600 ${path}`)
    }
    return (await file.readFile('ascii')).trim()
  } finally {
    await file.close()
  }
}

async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw new KeyRefused(`file ${path} cannot be read. ${reasonOf(error)}`, error)
  }
}

/** The remedy, where it is known. */
function reasonOf(error: unknown): string {
  if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM'))
    return 'It belongs to another account: start the server as the owner of its data folder, or set PARAPET_DATA_DIR to another one.'
  if (hasCode(error, 'ENOTDIR')) return 'Something on the way to it is a file: PARAPET_DATA_DIR has to name a folder.'
  return error instanceof Error ? error.message : ''
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
