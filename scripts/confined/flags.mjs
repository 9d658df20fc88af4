/** Rights of a confined server: read everything, write in its own folders, use threads and the compiled Argon2, and start no process. */
import { resolve } from 'node:path'

/** @param {Readonly<Record<string, string | undefined>>} env */
export function foldersOf(env) {
  const named = [env.PARAPET_DATA_DIR || './data', env.PARAPET_BACKUP_DIR, env.PARAPET_CHECKPOINT_DIR]
  const folders = [...new Set(named.filter(Boolean).map((folder) => resolve(folder)))]
  // Node 20 ends itself when one of the allowed folders lies in another.
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
}

/**
 * The model left its trial in 22.13 and 23.5. The folders have to be there: what is no folder is taken for a file.
 * @param {string} version @param {readonly string[]} folders
 */
export function flagsFor(version, folders) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const stable = major > 23 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13)
  return [
    stable ? '--permission' : '--experimental-permission',
    '--allow-addons',
    '--allow-worker',
    '--allow-fs-read=*',
    ...folders.map((folder) => `--allow-fs-write=${folder}`),
  ]
}
