# Reads and writes .env in the current folder, for the scripts beside this file.

# Prints a setting from the environment or else from .env, as Compose reads it. Prints nothing if it is unset.
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

# Writes a setting to .env or replaces its line. Keeps the mode of the file.
set_setting() { # <name> <value>
  local rest
  rest=$(grep -vE "^[[:space:]]*(export[[:space:]]+)?$1=" .env 2> /dev/null || true)
  printf '%s\n%s=%s\n' "$rest" "$1" "$2" > .env
}

# True if COMPOSE_FILE selects docker-compose.all-in-one.yml.
hosts_all() { grep -qF docker-compose.all-in-one.yml <<< "$(setting COMPOSE_FILE)"; }
