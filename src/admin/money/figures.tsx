export const Figures = ({ figures }: { figures: { label: string; value: string; isBad?: boolean }[] }) => (
  <dl className="grid grid-cols-2 gap-2 md:grid-cols-3 xl:grid-cols-5">
    {figures.map(({ label, value, isBad }) => (
      <div key={label} className="panel flex flex-col justify-between p-3">
        <dt className="text-sm leading-tight text-stone">{label}</dt>
        <dd className={`mt-1 text-lg font-bold break-words tabular-nums ${isBad ? 'text-brick' : ''}`}>{value}</dd>
      </div>
    ))}
  </dl>
)
