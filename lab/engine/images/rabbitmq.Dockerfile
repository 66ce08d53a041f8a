# Replaces rabbitmq:4.1: Debian's RabbitMQ, with the paths and user of the official image.
FROM saleschannel-engine/debian
RUN groupadd --system --gid 999 rabbitmq \
  && useradd --system --gid rabbitmq --uid 999 --home-dir /var/lib/rabbitmq rabbitmq \
  && apt-get update -q && apt-get install -y -q --no-install-recommends rabbitmq-server \
  && rm -rf /var/lib/apt/lists/* /var/lib/rabbitmq/.erlang.cookie \
  && mkdir -p /etc/rabbitmq/conf.d && printf 'log.console = true\n' > /etc/rabbitmq/conf.d/10-defaults.conf \
  && install -d -m 1777 -o rabbitmq -g rabbitmq /var/lib/rabbitmq /var/log/rabbitmq && chown -R rabbitmq /etc/rabbitmq
# RabbitMQ's own scripts, as in the official image. Debian's in /usr/sbin require root.
ENV PATH=/usr/lib/rabbitmq/bin:/usr/local/bin:/usr/bin:/bin HOME=/var/lib/rabbitmq RABBITMQ_LOGS=- LANG=C.UTF-8
VOLUME /var/lib/rabbitmq
CMD ["rabbitmq-server"]
