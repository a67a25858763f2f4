/** `photo` names each of them, `place-7` its new place, `gone` the removed ones. */
export function remainingPhotos(form: FormData): number[] {
  const gone = new Set(form.getAll('gone'))
  const placeOf = (id: FormDataEntryValue) => Number(form.get(`place-${String(id)}`)) || 0
  return (
    form
      .getAll('photo')
      // A picture that is named twice is still one.
      .filter((id, index, all) => all.indexOf(id) === index)
      .filter((id) => !gone.has(id))
      .toSorted((a, b) => placeOf(a) - placeOf(b))
      .map(Number)
  )
}
