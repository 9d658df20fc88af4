import { statfs } from 'node:fs/promises'

export interface DiskSpace {
  readonly totalBytes: number
  /** Bytes that the process may still write. */
  readonly freeBytes: number
}

/** Space on the file system that holds the path. @throws Error when the path does not exist */
export async function diskSpace(path: string): Promise<DiskSpace> {
  const { bsize, blocks, bavail } = await statfs(path)
  return { totalBytes: blocks * bsize, freeBytes: bavail * bsize }
}
