#!/bin/sh
# PostgreSQL's image runs this once, on its empty data: creates the two roles of docs/operate.md, with the passwords of ops/owner.secret and ops/site.secret.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -d sandhai -v owner="$(cat /run/secrets/owner)" -v site="$(cat /run/secrets/site)" <<'SQL'
create role sandhai_owner login password :'owner';
create role sandhai login password :'site';
alter database sandhai owner to sandhai_owner;
alter schema public owner to sandhai_owner;
SQL
