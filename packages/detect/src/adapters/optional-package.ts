import { ClassifierError } from './classifier.ts'

/**
 * Loads a package that only some installations have.
 * @throws ClassifierError (`not-usable`) naming the package to install when it is absent or not as expected.
 */
export async function loadPackage<T>(name: string, fits: (loaded: unknown) => loaded is T): Promise<T> {
  const loaded = await load(name)
  if (fits(loaded)) return loaded
  const inner: unknown = isObject(loaded) ? Reflect.get(loaded, 'default') : undefined
  if (fits(inner)) return inner
  throw new ClassifierError('not-usable', `The installed version of ${name} does not fit.`)
}

async function load(name: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ name)
  } catch (error) {
    throw new ClassifierError('not-usable', `ONNX models need the package ${name}; add it with: npm install ${name}`, {
      cause: error,
    })
  }
}

/** Objects and functions: values that can have properties. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
