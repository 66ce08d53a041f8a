# Reads and writes .env in the current folder, for the scripts beside this file.

# Prints a setting as Compose takes it: from the environment, or else from .env. Nothing where it is not set.
setting() { # <name>
  if [ -n "${!1+set}" ]; then
    printf '%s\n' "${!1}"
    return
  fi
  local lines
  lines=$(grep -E "^[[:space:]]*(export[[:space:]]+)?$1=" .env 2> /dev/null || true)
  if [ "$(grep -c . <<< "$lines")" -gt 1 ]; then
    echo ".env defines $1 more than once, and only the last line would apply. Merge the lines into one." >&2
    return 1
  fi
  sed -E -e 's/^[^=]*=//' -e 's/[[:space:]]+$//' -e "s/^\"(.*)\"$/\1/" -e "s/^'(.*)'$/\1/" <<< "$lines"
}

# Writes a setting to .env, in place of the line that it may have. The mode of the file stays.
set_setting() { # <name> <value>
  local rest
  rest=$(grep -vE "^[[:space:]]*(export[[:space:]]+)?$1=" .env 2> /dev/null || true)
  printf '%s\n%s=%s\n' "$rest" "$1" "$2" > .env
}

# Whether one process hosts the services that always run: COMPOSE_FILE chooses docker-compose.all-in-one.yml.
hosts_all() { grep -qF docker-compose.all-in-one.yml <<< "$(setting COMPOSE_FILE)"; }
