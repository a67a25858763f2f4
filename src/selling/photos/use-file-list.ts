import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'

/** A photo or clip on its way to the server. */
interface FormFile {
  /** Unlike that of any other file of the form. */
  name: string
  state: string
  /** No answer: retried automatically when back online. */
  isLineDead: boolean
}

/** The files of a form as rendered, and the latest: code that runs between two renderings reads the latter. */
export function useFileList<T extends FormFile>(first: () => T[] = () => []) {
  const [files, setFiles] = useState(first)
  const latest = useRef(files)
  const show = useCallback((next: T[]) => setFiles((latest.current = next)), [])
  const change = useCallback(
    (name: string, to: Partial<T>) => show(latest.current.map((file) => (file.name === name ? { ...file, ...to } : file))),
    [show],
  )
  const drop = useCallback((name: string) => show(latest.current.filter((file) => file.name !== name)), [show])
  const has = useCallback((name: string) => latest.current.some((file) => file.name === name), [])
  return { files, latest, show, change, drop, has }
}

type Files<T extends FormFile> = ReturnType<typeof useFileList<T>>

/** Calls `retry` when back online, with the files that failed without a connection, if there are any. */
export function useRetryOnline<T extends FormFile>({ latest }: Files<T>, retry: (failed: T[]) => void): void {
  const retryFailed = useEffectEvent(() => {
    const failed = latest.current.filter(({ state, isLineDead }) => state === 'failed' && isLineDead)
    if (failed.length > 0) retry(failed)
  })
  useEffect(() => {
    const onOnline = () => retryFailed()
    addEventListener('online', onOnline)
    return () => removeEventListener('online', onOnline)
  }, [])
}
