# For GNU make: `include orrery.mk` (make looks into /usr/include and /usr/local/include by itself;
# elsewhere: make -I PREFIX/include). docs/build.md has an example.
#
#   %.orrery.o: %.c        the rule: $(CC) and its flags, behind orrery-cc, with a depfile
#   $(ORRERY_LINK)         a recipe: links all prerequisites into the target
#   ORRERYFLAGS            options of orrery-cc itself: -auto, -Werror=serial, -Rorrery, ...
#   ORRERY_COMPILER        orrery-cc, if it is not in the PATH
ORRERY_COMPILER ?= orrery-cc
ORRERY_WRAPPED_CC = '$(ORRERY_COMPILER)' $(ORRERYFLAGS) --launch=$(words $(CC)) $(CC)

ORRERY_COMPILE = $(ORRERY_WRAPPED_CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c '$<' -o '$@'
ORRERY_LINK = $(ORRERY_WRAPPED_CC) $(LDFLAGS) $(filter %.o %.a,$^) $(LDLIBS) -o '$@'

%.orrery.o: %.c
	$(ORRERY_COMPILE)

-include $(wildcard *.orrery.d */*.orrery.d)
